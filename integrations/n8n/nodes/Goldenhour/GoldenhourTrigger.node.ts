import type {
	IDataObject,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { call, nextCursor } from './call';

const PAGES = 20;
const DAY_MS = 24 * 60 * 60 * 1000;

/** What a poll leaves for the next one: the list's ETag, and each post's status then. */
interface Memory extends IDataObject {
	etag?: string;
	asked?: string;
	seen?: Record<string, string>;
}

/** Starts a workflow when posts were scheduled, published or failed. */
export class GoldenhourTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Goldenhour Trigger',
		name: 'goldenhourTrigger',
		icon: 'file:goldenhour.svg',
		group: ['trigger'],
		version: 1,
		subtitle: '={{$parameter["statuses"].join(", ")}}',
		description: 'Starts the workflow when posts were scheduled, published or failed',
		defaults: { name: 'Goldenhour Trigger' },
		polling: true,
		inputs: [],
		outputs: ['main'],
		credentials: [{ name: 'goldenhourApi', required: true }],
		properties: [
			{
				displayName: 'Posts That Became',
				name: 'statuses',
				type: 'multiOptions',
				required: true,
				default: ['published', 'partial', 'failed'],
				description: 'Posts that were due in the last seven days, or are due later, are watched',
				options: [
					{ name: 'Cancelled', value: 'cancelled' },
					{ name: 'Failed', value: 'failed' },
					{ name: 'Partially Published', value: 'partial' },
					{ name: 'Published', value: 'published' },
					{ name: 'Scheduled', value: 'scheduled' },
				],
			},
		],
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		const statuses = this.getNodeParameter('statuses') as string[];
		if (this.getMode() === 'manual') {
			const newest = await call(this, 'GET', '/v1/posts', { query: { status: statuses, limit: 1 } });
			return emitted(newest.body.data as IDataObject[]);
		}
		const memory = this.getWorkflowStaticData('node') as Memory;
		const query = { status: statuses, from: weekAgo(new Date()), limit: 200 };
		const asked = JSON.stringify(query);
		const first = await call(this, 'GET', '/v1/posts', {
			query,
			headers: memory.asked === asked && memory.etag ? { 'If-None-Match': memory.etag } : {},
		});
		if (first.status === 304) return null;

		const posts = [...(first.body.data as IDataObject[])];
		let cursor = nextCursor(first.headers);
		for (let page = 1; cursor !== undefined && page < PAGES; page++) {
			const further = await call(this, 'GET', '/v1/posts', { query: { ...query, cursor } });
			posts.push(...(further.body.data as IDataObject[]));
			cursor = nextCursor(further.headers);
		}
		// A list of one page has not changed while its ETag fits; further pages have ETags of their own.
		memory.etag = posts.length <= 200 ? String(first.headers.etag ?? '') : '';
		memory.asked = asked;
		const before = memory.seen;
		memory.seen = Object.fromEntries(posts.map((post) => [String(post.id), String(post.status)]));
		if (before === undefined) return null; // what was so before the workflow began is no news
		return emitted(posts.filter((post) => before[String(post.id)] !== post.status).reverse());
	}
}

function emitted(posts: IDataObject[]): INodeExecutionData[][] | null {
	return posts.length > 0 ? [posts.map((json) => ({ json }))] : null;
}

/** A week before, to the full hour: polls within an hour ask the same, and can be answered by 304. */
function weekAgo(now: Date): string {
	const hour = new Date(now.getTime() - 7 * DAY_MS);
	hour.setUTCMinutes(0, 0, 0);
	return hour.toISOString().replace('.000Z', 'Z');
}
