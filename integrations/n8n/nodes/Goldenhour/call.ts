import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestMethods,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';

export type Context = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** What goes with a call: repeated query values are joined by commas, empty ones left out. */
export interface Given {
	query?: IDataObject;
	body?: IDataObject;
	headers?: IDataObject;
}

/** An answer that is no refusal; `status` is 200, 204 or 304. */
export interface Answer {
	status: number;
	headers: IDataObject;
	body: IDataObject;
}

/** A refusal in the service's own words, which n8n shows: what is wrong, and what helps. */
export class Refused extends Error {
	readonly httpCode: string;

	readonly description: string;

	constructor(status: number, headers: IDataObject, body: IDataObject | undefined) {
		const error = (body?.error ?? {}) as IDataObject;
		super(String(error.message ?? `The service answered ${status} without saying why.`));
		this.name = 'Refused';
		this.httpCode = String(status);
		const told = [
			error.code && `Code: ${String(error.code)}`,
			error.field && `Field: ${String(error.field)}`,
			headers['retry-after'] && `Try again after ${String(headers['retry-after'])} s`,
			headers['x-request-id'] && `Request: ${String(headers['x-request-id'])}`,
			`What to do: ${helpOf(headers)}`,
		];
		this.description = told.filter(Boolean).join(' · ');
	}
}

/**
 * Call the API with the node's key. Throws `Refused` on 4xx and 5xx, and an error on a
 * repeated Idempotency-Key whose content is another.
 */
export async function call(
	context: Context,
	method: IHttpRequestMethods,
	path: string,
	{ query = {}, body, headers = {} }: Given = {},
): Promise<Answer> {
	const { baseUrl } = await context.getCredentials('goldenhourApi');
	const response = await context.helpers.httpRequestWithAuthentication.call(
		context,
		'goldenhourApi',
		{
			method,
			url: withoutSlashes(String(baseUrl)) + path,
			qs: withoutEmpty(query),
			body,
			headers,
			json: true,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		},
	);
	if (response.statusCode >= 400) {
		throw new Refused(response.statusCode, response.headers, response.body);
	}
	if (response.headers['idempotency-mismatch'] !== undefined) {
		throw new Error(
			'This Idempotency Key made something else before, and nothing was made now. Use another key.',
		);
	}
	return { status: response.statusCode, headers: response.headers, body: response.body };
}

/** Read a list's pages until there is no further one or `most` were read. */
export async function everyItem(
	context: Context,
	path: string,
	query: IDataObject = {},
	most = Infinity,
): Promise<IDataObject[]> {
	const items: IDataObject[] = [];
	let cursor: string | undefined;
	do {
		const answer = await call(context, 'GET', path, { query: { ...query, cursor } });
		items.push(...(answer.body.data as IDataObject[]));
		cursor = nextCursor(answer.headers);
	} while (cursor !== undefined && items.length < most);
	return items.slice(0, most);
}

/** The cursor of the page that follows, or undefined on the last one. */
export function nextCursor(headers: IDataObject): string | undefined {
	for (const link of String(headers.link ?? '').split(',')) {
		const address = /<([^>]*)>\s*;\s*rel="next"/.exec(link)?.[1];
		if (address !== undefined) {
			return new URL(address, 'http://any').searchParams.get('cursor') ?? undefined;
		}
	}
	return undefined;
}

function helpOf(headers: IDataObject): string {
	const address = /<([^>]*)>\s*;\s*rel="help"/.exec(String(headers.link ?? ''))?.[1];
	return address ?? '/v1/docs/errors at the address of the service';
}

function withoutSlashes(address: string): string {
	return address.trim().replace(/\/+$/, '');
}

function withoutEmpty(query: IDataObject): IDataObject {
	const told = Object.entries(query).map(([name, value]) => [
		name,
		Array.isArray(value) ? value.join(',') : value,
	]);
	return Object.fromEntries(
		told.filter(([, value]) => value !== undefined && value !== '' && value !== null),
	);
}
