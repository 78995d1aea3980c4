import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { asObject, filled, given, id, ids, made, many, one, type Operation } from './operation';
import { shownFor, WEEKDAYS } from './parameters';

interface Difference {
	accountId: string;
	captionOverride?: string;
	options?: unknown;
	scheduledAt?: string;
}

const post = (context: IExecuteFunctions, item: number) =>
	`/v1/posts/${id(context, item, 'postId')}`;

const verb = (name: string): Operation =>
	one('POST', (context, item) => `${post(context, item)}/${name}`);

export const operations: Record<string, Operation> = {
	cancel: verb('cancel'),
	check: verb('check'),
	create: made(() => '/v1/posts', (context, item) => ({
		caption: given<string>(context, item, 'caption'),
		media_ids: ids(given(context, item, 'mediaId')),
		targets: targets(
			ids(given(context, item, 'accountIds')),
			given<IDataObject>(context, item, 'differences').account as Difference[] | undefined,
		),
	})),
	delete: one('DELETE', post),
	duplicate: made((context, item) => `${post(context, item)}/duplicate`),
	edit: one('PATCH', post, (context, item) => ({ body: changes(context, item) })),
	get: one('GET', post),
	getAll: many('/v1/posts', (context, item) => {
		const filters = given<IDataObject>(context, item, 'filters');
		return {
			...filters,
			status: ids(filters.status),
			platform: ids(filters.platform),
			account_id: ids(filters.account_id),
			include: ids(filters.include),
		};
	}),
	history: one('GET', (context, item) => `${post(context, item)}/history`),
	label: one('PUT', (context, item) => `${post(context, item)}/labels`, (context, item) => ({
		body: { label_ids: ids(given(context, item, 'labelIds')) },
	})),
	metrics: one('GET', (context, item) => `${post(context, item)}/metrics`),
	publishNow: verb('publish-now'),
	queue: verb('queue'),
	repeat: one('POST', (context, item) => `${post(context, item)}/repeat`, (context, item) => {
		const more = given<IDataObject>(context, item, 'repetition');
		const weekdays = ids(more.weekdays).map(Number);
		return {
			body: {
				...filled({ ...more, weekdays: undefined }),
				...(weekdays.length > 0 ? { weekdays } : {}),
				every: given<string>(context, item, 'every'),
			},
		};
	}),
	retry: verb('retry'),
	schedule: one('POST', (context, item) => `${post(context, item)}/schedule`, (context, item) => ({
		body: filled({ at: given<string>(context, item, 'at') }),
	})),
	unpublish: one(
		'POST',
		(context, item) =>
			`${post(context, item)}/targets/${id(context, item, 'targetId')}/unpublish`,
	),
};

/** One target an account, with what was said about it alone. */
export function targets(accountIds: string[], differences: Difference[] = []): IDataObject[] {
	const every = [...new Set([...accountIds, ...differences.map((each) => each.accountId)])];
	return every.map((accountId) => {
		const own = differences.find((each) => each.accountId === accountId);
		return filled({
			account_id: accountId,
			caption_override: own?.captionOverride,
			options: asObject(own?.options, 'Options'),
			scheduled_at: own?.scheduledAt,
		});
	});
}

/** What is to change: only what was added under "Changes", and an empty text is a change too. */
function changes(context: IExecuteFunctions, item: number): IDataObject {
	const asked = given<IDataObject>(context, item, 'changes');
	const body: IDataObject = {};
	if (asked.caption !== undefined) body.caption = asked.caption;
	if (asked.mediaId !== undefined) body.media_ids = ids(asked.mediaId);
	if (asked.targets !== undefined) body.targets = asObject(asked.targets, 'Targets');
	if (asked.add !== undefined) body.add = asObject(asked.add, 'Accounts to Add');
	if (asked.remove !== undefined) body.remove = ids(asked.remove);
	return body;
}

const at = (...operation: string[]) => shownFor('post', ...operation);

export const properties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['post'] } },
		default: 'create',
		options: [
			{ name: 'Cancel', value: 'cancel', action: 'Cancel a post', description: 'Cancel every target that waits; what is live stays' },
			{ name: 'Check', value: 'check', action: 'Check a post', description: 'List what would go wrong; nothing is changed' },
			{ name: 'Create', value: 'create', action: 'Create a post', description: 'Create a draft; nothing is published' },
			{ name: 'Delete', value: 'delete', action: 'Delete a post', description: 'Delete a post permanently' },
			{ name: 'Duplicate', value: 'duplicate', action: 'Duplicate a post', description: 'Make a new draft of a post, without its times' },
			{ name: 'Edit', value: 'edit', action: 'Edit a post', description: 'Change what is not live yet' },
			{ name: 'Get', value: 'get', action: 'Get a post', description: 'Read a post and how each of its targets stands' },
			{ name: 'Get Many', value: 'getAll', action: 'Get many posts', description: 'List posts, newest first' },
			{ name: 'History', value: 'history', action: 'Get the history of a post', description: 'Read who did what, and every attempt to publish' },
			{ name: 'Label', value: 'label', action: 'Label a post', description: 'Give a post these labels and no others' },
			{ name: 'Metrics', value: 'metrics', action: 'Get the metrics of a post', description: 'Read views, likes and comments on each platform' },
			{ name: 'Publish Now', value: 'publishNow', action: 'Publish a post now', description: 'Publish every target that is not live' },
			{ name: 'Queue', value: 'queue', action: 'Queue a post', description: 'Schedule a draft for the next free queue time' },
			{ name: 'Repeat', value: 'repeat', action: 'Repeat a post', description: 'Plan the same post for later days' },
			{ name: 'Retry', value: 'retry', action: 'Retry a post', description: 'Try the failed targets again, now' },
			{ name: 'Schedule', value: 'schedule', action: 'Schedule a post', description: 'Publish a draft at a time' },
			{ name: 'Unpublish', value: 'unpublish', action: 'Unpublish a target', description: 'Delete one live post on its platform' },
		],
	},
	{
		displayName: 'Post ID',
		name: 'postId',
		type: 'string',
		default: '',
		required: true,
		displayOptions: {
			show: { resource: ['post'] },
			hide: { operation: ['create', 'getAll'] },
		},
	},
	{
		displayName: 'Target ID',
		name: 'targetId',
		type: 'string',
		default: '',
		required: true,
		displayOptions: at('unpublish'),
		description: 'The account on which it is to go, as the target of the post names it',
	},
	{
		displayName: 'Caption',
		name: 'caption',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		displayOptions: at('create'),
		description: 'The text for every account that has none of its own',
	},
	{
		displayName: 'Account Names or IDs',
		name: 'accountIds',
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: 'getAccounts' },
		default: [],
		required: true,
		displayOptions: at('create'),
		description: 'Where it is to be published. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	{
		displayName: 'Media ID',
		name: 'mediaId',
		type: 'string',
		default: '',
		displayOptions: at('create'),
		description: 'The video or photo, as Media: Upload returned it; empty for text alone',
	},
	{
		displayName: 'What Differs by Account',
		name: 'differences',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Account',
		default: {},
		displayOptions: at('create'),
		options: [
			{
				displayName: 'Account',
				name: 'account',
				values: [
					{
						displayName: 'Account Name or ID',
						name: 'accountId',
						type: 'options',
						typeOptions: { loadOptionsMethod: 'getAccounts' },
						default: '',
						description: 'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
					},
					{
						displayName: 'Caption',
						name: 'captionOverride',
						type: 'string',
						typeOptions: { rows: 3 },
						default: '',
						description: 'Instead of the caption above',
					},
					{
						displayName: 'Options (JSON)',
						name: 'options',
						type: 'json',
						default: '',
						description: 'What the platform offers besides text and file, as the documentation of the API lists it',
					},
					{
						displayName: 'Time',
						name: 'scheduledAt',
						type: 'dateTime',
						default: '',
						description: 'When it is to go out there; Schedule without a time follows it',
					},
				],
			},
		],
	},
	{
		displayName: 'Time',
		name: 'at',
		type: 'dateTime',
		default: '',
		displayOptions: at('schedule'),
		description: 'When it goes out. Empty: the time of each target, or its next golden hour.',
	},
	{
		displayName: 'Every',
		name: 'every',
		type: 'options',
		default: 'week',
		options: [
			{ name: 'Day', value: 'day' },
			{ name: 'Month', value: 'month' },
			{ name: 'Week', value: 'week' },
		],
		displayOptions: at('repeat'),
	},
	{
		displayName: 'Repetition',
		name: 'repetition',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		displayOptions: at('repeat'),
		options: [
			{
				displayName: 'Interval',
				name: 'interval',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 12 },
				default: 1,
				description: 'Every how many days, weeks or months',
			},
			{
				displayName: 'Last Date',
				name: 'until',
				type: 'string',
				default: '',
				placeholder: '2027-01-31',
				description: 'The last date that may be',
			},
			{
				displayName: 'Times',
				name: 'times',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 200 },
				default: 4,
				description: 'How many posts follow this one',
			},
			{
				displayName: 'Weekdays',
				name: 'weekdays',
				type: 'multiOptions',
				default: [],
				description: 'With Every: Week alone; without, the weekday of the post',
				options: WEEKDAYS,
			},
		],
	},
	{
		displayName: 'Label Names or IDs',
		name: 'labelIds',
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: 'getLabels' },
		default: [],
		displayOptions: at('label'),
		description: 'None takes all labels away. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	{
		displayName: 'Changes',
		name: 'changes',
		type: 'collection',
		placeholder: 'Add Change',
		default: {},
		displayOptions: at('edit'),
		options: [
			{
				displayName: 'Accounts to Add (JSON)',
				name: 'add',
				type: 'json',
				default: '[{"account_id": ""}]',
				description: 'A list of new targets',
			},
			{
				displayName: 'Caption',
				name: 'caption',
				type: 'string',
				typeOptions: { rows: 4 },
				default: '',
			},
			{
				displayName: 'Media ID',
				name: 'mediaId',
				type: 'string',
				default: '',
				description: 'Empty takes the file away',
			},
			{
				displayName: 'Targets to Change (JSON)',
				name: 'targets',
				type: 'json',
				default: '[{"id": "", "caption_override": ""}]',
				description: 'A list of changes, each with the ID of its target',
			},
			{
				displayName: 'Targets to Remove',
				name: 'remove',
				type: 'string',
				default: '',
				description: 'IDs of targets, with commas between',
			},
		],
	},
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		displayOptions: at('getAll'),
		options: [
			{
				displayName: 'Account Names or IDs',
				name: 'account_id',
				type: 'multiOptions',
				typeOptions: { loadOptionsMethod: 'getAccounts' },
				default: [],
				description: 'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
			},
			{
				displayName: 'Due Before',
				name: 'to',
				type: 'dateTime',
				default: '',
			},
			{
				displayName: 'Due From',
				name: 'from',
				type: 'dateTime',
				default: '',
			},
			{
				displayName: 'Include',
				name: 'include',
				type: 'multiOptions',
				default: [],
				options: [
					{ name: 'Labels', value: 'labels' },
					{ name: 'Metrics', value: 'metrics' },
				],
			},
			{
				displayName: 'Label Name or ID',
				name: 'label',
				type: 'options',
				typeOptions: { loadOptionsMethod: 'getLabels' },
				default: '',
				description: 'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
			},
			{
				displayName: 'Platforms',
				name: 'platform',
				type: 'multiOptions',
				default: [],
				options: [
					{ name: 'Bluesky', value: 'bluesky' },
					{ name: 'Facebook', value: 'facebook' },
					{ name: 'Google Business Profile', value: 'google business profile' },
					{ name: 'Instagram', value: 'instagram' },
					{ name: 'LinkedIn', value: 'linkedin' },
					{ name: 'Pinterest', value: 'pinterest' },
					{ name: 'Reddit', value: 'reddit' },
					{ name: 'Threads', value: 'threads' },
					{ name: 'TikTok', value: 'tiktok' },
					{ name: 'X', value: 'x' },
					{ name: 'YouTube', value: 'youtube' },
				],
			},
			{
				displayName: 'Sort',
				name: 'sort',
				type: 'options',
				default: 'created',
				options: [
					{ name: 'Newest First', value: 'created' },
					{ name: 'Earliest Time First', value: 'scheduled' },
				],
			},
			{
				displayName: 'Statuses',
				name: 'status',
				type: 'multiOptions',
				default: [],
				options: [
					{ name: 'Cancelled', value: 'cancelled' },
					{ name: 'Draft', value: 'draft' },
					{ name: 'Failed', value: 'failed' },
					{ name: 'Partial', value: 'partial' },
					{ name: 'Published', value: 'published' },
					{ name: 'Publishing', value: 'publishing' },
					{ name: 'Scheduled', value: 'scheduled' },
				],
			},
			{
				displayName: 'Text',
				name: 'q',
				type: 'string',
				default: '',
				description: 'Text that a caption contains',
			},
		],
	},
];
