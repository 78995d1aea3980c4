// Both nodes in n8n's own engine against the service of GOLDENHOUR_URL, as a workflow would use it.
const assert = require('node:assert/strict');
const { readFileSync } = require('node:fs');
const { before, test } = require('node:test');
const { Engine, prepare } = require('./engine.cjs');

const { GOLDENHOUR_URL, GOLDENHOUR_API_KEY, PHOTO } = process.env;
const engine = new Engine(`${GOLDENHOUR_URL}/`, GOLDENHOUR_API_KEY, `run-${Date.now()}`);
let accounts;

before(async () => {
	await prepare();
	accounts = await engine.choices('getAccounts');
});

const account = (platform) => accounts.find((each) => each.name.endsWith(`(${platform})`)).value;
const one = async (parameters, item = {}) => (await engine.run(parameters, [item]))[0].json;
const post = (operation, postId, more = {}) => one({ resource: 'post', operation, postId, ...more }, { json: {} });
const draft = (more = {}, runs = engine) =>
	runs
		.run({ resource: 'post', operation: 'create', caption: 'Rye', accountIds: [account('linkedin')], ...more })
		.then(([item]) => item.json);
const photo = () => ({
	json: {},
	binary: { data: { data: readFileSync(PHOTO).toString('base64'), mimeType: 'image/jpeg', fileName: 'bröd.jpg' } },
});

async function until(read, done) {
	for (;;) {
		const seen = await read();
		if (done(seen)) return seen;
		await new Promise((resume) => setTimeout(resume, 100));
	}
}

test('a photo is uploaded, described, posted with a text of its own, and seen live', async () => {
	const uploaded = await one({ resource: 'media', operation: 'upload' }, photo());
	await until(
		() => one({ resource: 'media', operation: 'state', mediaId: uploaded.id }, { json: {} }),
		({ state }) => state === 'ready',
	);
	const words = { alt_text: 'A loaf' };
	await one({ resource: 'media', operation: 'describe', mediaId: uploaded.id, words }, { json: {} });
	const kept = await one({ resource: 'media', operation: 'get', mediaId: uploaded.id }, { json: {} });
	assert.equal(kept.filename, 'bröd.jpg');

	const made = await draft({
		mediaId: uploaded.id,
		accountIds: [account('linkedin'), account('x')],
		differences: { account: [{ accountId: account('x'), captionOverride: 'Rye, on X' }] },
	});
	assert.deepEqual(made.targets.map((each) => each.caption_override).sort(), ['Rye, on X', null]);
	assert.ok(Array.isArray((await post('check', made.id)).problems ?? []));
	await post('publishNow', made.id);
	const live = await until(() => post('get', made.id), ({ status }) => status === 'published');

	assert.ok(live.targets.every((each) => each.url.startsWith(GOLDENHOUR_URL)));
	assert.ok((await post('history', made.id)).events.length > 1);
	assert.ok('total' in (await post('metrics', made.id)));
	await post('unpublish', made.id, { targetId: live.targets[0].id });
});

test('trying an item again makes no second post, and the next run makes another', async () => {
	const first = await draft({ caption: 'Once' });
	const again = await draft({ caption: 'Once' });
	const later = await draft({ caption: 'Once' }, new Engine(GOLDENHOUR_URL, GOLDENHOUR_API_KEY, `later-${Date.now()}`));

	assert.equal(again.id, first.id);
	assert.notEqual(later.id, first.id);

	const idempotencyKey = `own-${Date.now()}`;
	await draft({ caption: 'One', idempotencyKey });
	await assert.rejects(draft({ caption: 'Another', idempotencyKey }), /made something else before/);
});

test('every verb of a plan', async () => {
	const key = `verbs-${Date.now()}`;
	const made = await draft({ caption: 'Plan', idempotencyKey: key });
	const at = '2031-03-03T09:00:00Z';
	assert.equal((await post('schedule', made.id, { at })).status, 'scheduled');
	const repeated = await post('repeat', made.id, { every: 'week', repetition: { times: 2, weekdays: [0] } });
	const series = repeated.id ?? repeated.series_id;
	assert.equal((await one({ resource: 'series', operation: 'get', seriesId: series }, { json: {} })).id, series);
	await one({ resource: 'series', operation: 'end', seriesId: series }, { json: {} });
	assert.equal((await post('cancel', made.id)).status, 'cancelled');
	await post('edit', made.id, { changes: { caption: 'Plan, changed' } });
	assert.equal((await post('get', made.id)).caption, 'Plan, changed');
	const copy = await post('duplicate', made.id);
	assert.equal(copy.status, 'draft');

	const label = await one({ resource: 'label', operation: 'create', name: key, colour: 'teal' }, { json: {} });
	await post('label', copy.id, { labelIds: [label.id] });
	const labelled = await engine.run({ resource: 'post', operation: 'getAll', returnAll: true, filters: { label: label.id, status: ['draft'] } });
	assert.deepEqual(labelled.map((each) => each.json.id), [copy.id]);
	await one({ resource: 'label', operation: 'delete', labelId: label.id }, { json: {} });

	const slot = await one({ resource: 'queueTime', operation: 'create', weekdays: [0, 1, 2, 3, 4, 5, 6], time: '19:30' }, { json: {} });
	assert.equal((await post('queue', copy.id)).status, 'scheduled');
	await one({ resource: 'queueTime', operation: 'delete', slotId: slot.id }, { json: {} });
	await post('cancel', copy.id);
	assert.deepEqual(await post('delete', copy.id), { success: true });
});

test('what is read of the workspace', async () => {
	assert.equal((await one({ resource: 'workspace', operation: 'get' }, { json: {} })).workspace, 'Demo');
	assert.ok(await one({ resource: 'workspace', operation: 'goldenHour' }, { json: {} }));
	assert.ok(await one({ resource: 'workspace', operation: 'summary', days: 7 }, { json: {} }));
	const listed = await engine.run({ resource: 'account', operation: 'getAll', returnAll: false, limit: 3 });
	assert.equal(listed.length, 3);
	for (const resource of ['media', 'label', 'queueTime', 'series']) {
		await engine.run({ resource, operation: 'getAll', returnAll: true });
	}
	const choices = { resource: 'account', operation: 'choices', accountId: account('pinterest') };
	assert.ok(await one(choices, { json: {} }));
});

test('a list is read over all its pages', async () => {
	const word = `page${Date.now()}`;
	await engine.run(
		{ resource: 'post', operation: 'create', caption: `={{ "${word} " + $json.n }}`, accountIds: [account('x')] },
		Array.from({ length: 60 }, (_, n) => ({ json: { n } })),
	);
	const all = await engine.run({ resource: 'post', operation: 'getAll', returnAll: true, filters: { q: word } });
	assert.equal(new Set(all.map((each) => each.json.id)).size, 60);
});

test('a refusal says what is wrong, where, and where help stands', async () => {
	await assert.rejects(draft({ accountIds: ['0'.repeat(32)] }), (refused) => {
		assert.match(refused.message, /account/);
		assert.match(refused.description, /Code: \w+ · .*Request: \w+ · What to do: http.*docs\/errors#\w+/);
		return true;
	});
	const kept = await engine.run({ resource: 'post', operation: 'get', postId: '0'.repeat(32) }, [{ json: {} }], { onError: 'continueRegularOutput' });
	assert.equal(kept[0].json.error, 'There is no such post in this workspace.');
	await assert.rejects(post('get', '  '), /postId is empty/);
	await assert.rejects(post('get', '../me'), /no such post|not found|There is no/i);
	const stranger = new Engine(GOLDENHOUR_URL, 'gh_live_nonsense');
	await assert.rejects(stranger.choices('getAccounts'), /key/i);
});

test('the trigger tells each post once that became live, and asks for nothing twice', async () => {
	const poll = engine.poller(['published']);
	assert.equal(await poll(), null); // what was so before is no news
	assert.equal(await poll(), null);
	const made = await draft({ caption: 'News' , idempotencyKey: `news-${Date.now()}` });
	await post('publishNow', made.id);
	const told = await until(poll, (items) => items !== null);
	assert.deepEqual(told.map((each) => [each.id, each.status]), [[made.id, 'published']]);
	assert.equal(await poll(), null);
	const shown = await engine.poller(['published'], 'manual')();
	assert.equal(shown.length, 1);
});
