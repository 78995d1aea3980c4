import type { Readable } from 'node:stream';
import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { call } from './call';
import { filled, given, id, made, many, one, onceOnly, type Operation } from './operation';
import { shownFor } from './parameters';

const file = (context: IExecuteFunctions, item: number) =>
	`/v1/media/${id(context, item, 'mediaId')}`;

export const operations: Record<string, Operation> = {
	delete: one('DELETE', file),
	describe: one('PATCH', file, (context, item) => ({
		body: given<IDataObject>(context, item, 'words'),
	})),
	fromUrl: made(() => '/v1/media/from-url', (context, item) => ({
		url: given<string>(context, item, 'url'),
	})),
	get: one('GET', file),
	getAll: many('/v1/media', (context, item) => given<IDataObject>(context, item, 'filters')),
	state: one('GET', (context, item) => `/v1/media/uploads/${id(context, item, 'mediaId')}`),
	upload,
};

/** Send a file of the item straight to the service's storage, as it is read. */
async function upload(context: IExecuteFunctions, item: number): Promise<IDataObject> {
	const property = given<string>(context, item, 'binaryProperty');
	const binary = context.helpers.assertBinaryData(item, property);
	const { content, size } = await bytesOf(context, item, property);
	const filename = given<string>(context, item, 'fileName') || binary.fileName || 'file';
	const body = { filename, size_bytes: size };
	const headers = onceOnly(context, item, ['upload', body]);
	const begun = await call(context, 'POST', '/v1/media/uploads', { body, headers });
	await context.helpers.httpRequest({
		method: 'PUT',
		url: String(begun.body.url),
		headers: { ...(begun.body.headers as IDataObject), 'content-length': size },
		body: content,
		json: false,
	});
	const mediaId = String(begun.body.media_id);
	const state = (await call(context, 'GET', `/v1/media/uploads/${mediaId}`)).body;
	if (state.state === 'refused') {
		throw new Error(`${String(state.message)} (${String(state.code)})`);
	}
	return filled({ id: mediaId, state: state.state });
}

/** n8n keeps large files outside of the item: those are read as a stream. */
async function bytesOf(
	context: IExecuteFunctions,
	item: number,
	property: string,
): Promise<{ content: Buffer | Readable; size: number }> {
	const binary = context.helpers.assertBinaryData(item, property);
	if (binary.id) {
		const { fileSize } = await context.helpers.getBinaryMetadata(binary.id);
		return { content: await context.helpers.getBinaryStream(binary.id), size: fileSize };
	}
	const content = await context.helpers.getBinaryDataBuffer(item, property);
	return { content, size: content.length };
}

const at = (...operation: string[]) => shownFor('media', ...operation);

export const properties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['media'] } },
		default: 'upload',
		options: [
			{ name: 'Delete', value: 'delete', action: 'Delete a file', description: 'Delete a file permanently' },
			{ name: 'Describe', value: 'describe', action: 'Describe a file', description: 'Name a file, or say what it shows' },
			{ name: 'Get', value: 'get', action: 'Get a file', description: 'Read what is known about a file' },
			{ name: 'Get Many', value: 'getAll', action: 'Get many files', description: 'List files that can still be posted, newest first' },
			{ name: 'Get Upload State', value: 'state', action: 'Get the state of an upload', description: 'Read whether a file is ready, or why it was refused' },
			{ name: 'Upload', value: 'upload', action: 'Upload a file', description: 'Upload a video or photo of up to 1 GB' },
			{ name: 'Upload From URL', value: 'fromUrl', action: 'Upload a file from a URL', description: 'Have the service fetch a file from a public https address' },
		],
	},
	{
		displayName: 'Media ID',
		name: 'mediaId',
		type: 'string',
		default: '',
		required: true,
		displayOptions: at('delete', 'describe', 'get', 'state'),
	},
	{
		displayName: 'Input Binary Field',
		name: 'binaryProperty',
		type: 'string',
		default: 'data',
		required: true,
		hint: 'The name of the input field that has the file',
		displayOptions: at('upload'),
	},
	{
		displayName: 'File Name',
		name: 'fileName',
		type: 'string',
		default: '',
		displayOptions: at('upload'),
		description: 'Empty: the name that the file has',
	},
	{
		displayName: 'URL',
		name: 'url',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'https://media.example.com/spring.mp4',
		displayOptions: at('fromUrl'),
	},
	{
		displayName: 'Words',
		name: 'words',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		displayOptions: at('describe'),
		options: [
			{
				displayName: 'Alt Text',
				name: 'alt_text',
				type: 'string',
				default: '',
				description: 'What it shows, for those who cannot see it',
			},
			{ displayName: 'File Name', name: 'filename', type: 'string', default: '' },
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
				displayName: 'Kind',
				name: 'kind',
				type: 'options',
				default: 'image',
				options: [
					{ name: 'Photo', value: 'image' },
					{ name: 'Video', value: 'video' },
				],
			},
			{
				displayName: 'Text',
				name: 'q',
				type: 'string',
				default: '',
				description: 'Text of the name or the alt text',
			},
			{
				displayName: 'Used',
				name: 'used',
				type: 'boolean',
				default: true,
				description: 'Whether a post has the file',
			},
		],
	},
];
