import { createHash } from 'crypto';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { call, everyItem, type Given } from './call';

/** What becomes of one incoming item: one or several outgoing ones. */
export type Operation = (
	context: IExecuteFunctions,
	item: number,
) => Promise<IDataObject | IDataObject[] | INodeExecutionData>;

/** A parameter as a person filled it in for this item. */
export function given<Value>(context: IExecuteFunctions, item: number, name: string): Value {
	return context.getNodeParameter(name, item) as Value;
}

/** A required id in a path, which may not lead anywhere else. */
export function id(context: IExecuteFunctions, item: number, name: string): string {
	const value = String(given<unknown>(context, item, name) ?? '').trim();
	if (value === '') throw new Error(`${name} is empty. Give the id of what is meant.`);
	return encodeURIComponent(value);
}

/** One call whose answer is one item; an answer without a body says that it succeeded. */
export function one(
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
	path: (context: IExecuteFunctions, item: number) => string,
	extra: (context: IExecuteFunctions, item: number) => Given = () => ({}),
): Operation {
	return async (context, item) => {
		const answer = await call(context, method, path(context, item), extra(context, item));
		return answer.status === 204 ? { success: true } : answer.body;
	};
}

/** A list as one item each, all of it or as many as asked for. */
export function many(
	path: string,
	query: (context: IExecuteFunctions, item: number) => IDataObject = () => ({}),
): Operation {
	return async (context, item) => {
		const all = given<boolean>(context, item, 'returnAll');
		const most = all ? Infinity : given<number>(context, item, 'limit');
		return await everyItem(context, path, query(context, item), most);
	};
}

/**
 * An Idempotency-Key that is the same when n8n tries this item again, and another for every other
 * run or content, so that "Retry On Fail" never makes a second post.
 */
export function onceOnly(context: IExecuteFunctions, item: number, content: unknown = ''): IDataObject {
	const asked = context.getNodeParameter('idempotencyKey', item, '') as string;
	if (asked !== '') return { 'Idempotency-Key': asked };
	const run = context.evaluateExpression('{{ $runIndex }}', item);
	const { id: workflow } = context.getWorkflow();
	const parts = [workflow, context.getExecutionId(), context.getNode().id, run, item, content];
	const digest = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
	return { 'Idempotency-Key': `n8n-${digest}` };
}

/** A call that makes something, and makes it once however often it is tried. */
export function made(
	path: (context: IExecuteFunctions, item: number) => string,
	body: (context: IExecuteFunctions, item: number) => IDataObject | undefined = () => undefined,
): Operation {
	return one('POST', path, (context, item) => {
		const content = body(context, item);
		return { body: content, headers: onceOnly(context, item, [path(context, item), content]) };
	});
}

/** A field in which people write JSON, or which another node filled with an object. */
export function asObject(value: unknown, name: string): IDataObject | undefined {
	if (value === undefined || value === null || value === '') return undefined;
	if (typeof value === 'object') return value as IDataObject;
	try {
		return JSON.parse(String(value)) as IDataObject;
	} catch {
		throw new Error(`${name} is no JSON. Write an object, such as {"privacy": "public"}.`);
	}
}

/** Ids that people wrote with commas between, or that came as a list. */
export function ids(value: unknown): string[] {
	const several = Array.isArray(value) ? value.map(String) : String(value ?? '').split(',');
	return several.map((each) => each.trim()).filter((each) => each !== '');
}

/** The given fields without those that were left empty. */
export function filled(fields: IDataObject): IDataObject {
	const kept = Object.entries(fields).filter(
		([, value]) => value !== undefined && value !== '' && value !== null,
	);
	return Object.fromEntries(kept);
}
