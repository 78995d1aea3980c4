import type {
	IDataObject,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	INodeExecutionData,
	INodePropertyOptions,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { everyItem, Refused } from './call';
import * as media from './media';
import type { Operation } from './operation';
import * as posts from './posts';
import * as workspace from './workspace';

const OPERATIONS: Record<string, Record<string, Operation>> = {
	post: posts.operations,
	media: media.operations,
	...workspace.operations,
};

/** Every verb of the API as a step of a workflow. */
export class Goldenhour implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Goldenhour',
		name: 'goldenhour',
		icon: 'file:goldenhour.svg',
		group: ['output'],
		version: 1,
		subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
		description: 'Schedule and publish posts on eleven platforms',
		defaults: { name: 'Goldenhour' },
		usableAsTool: true,
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'goldenhourApi', required: true }],
		properties: [
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				default: 'post',
				options: [
					{ name: 'Account', value: 'account' },
					{ name: 'Label', value: 'label' },
					{ name: 'Media', value: 'media' },
					{ name: 'Post', value: 'post' },
					{ name: 'Queue Time', value: 'queueTime' },
					{ name: 'Series', value: 'series' },
					{ name: 'Workspace', value: 'workspace' },
				],
			},
			...posts.properties,
			...media.properties,
			...workspace.properties,
			{
				displayName: 'Idempotency Key',
				name: 'idempotencyKey',
				type: 'string',
				typeOptions: { password: false },
				default: '',
				displayOptions: {
					show: {
						resource: ['label', 'media', 'post', 'queueTime'],
						operation: ['create', 'duplicate', 'fromUrl', 'upload'],
					},
				},
				description: 'Repeats with the same key make nothing twice. Empty: a key of this execution, so that trying again is safe.',
			},
			{
				displayName: 'Return All',
				name: 'returnAll',
				type: 'boolean',
				default: false,
				displayOptions: { show: { operation: ['getAll'] } },
				description: 'Whether to return all results or only up to a given limit',
			},
			{
				displayName: 'Limit',
				name: 'limit',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 50,
				displayOptions: { show: { operation: ['getAll'], returnAll: [false] } },
				description: 'Max number of results to return',
			},
		],
	};

	methods = {
		loadOptions: {
			async getAccounts(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
				const accounts = await everyItem(this, '/v1/accounts');
				return accounts.map((each) => ({
					name: `${String(each.handle)} (${String(each.platform)})`,
					value: String(each.id),
				}));
			},
			async getLabels(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
				const labels = await everyItem(this, '/v1/labels');
				return labels.map((each) => ({ name: String(each.name), value: String(each.id) }));
			},
		},
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const results: INodeExecutionData[] = [];
		for (let item = 0; item < this.getInputData().length; item++) {
			const resource = this.getNodeParameter('resource', item) as string;
			const operation = this.getNodeParameter('operation', item) as string;
			try {
				const act = OPERATIONS[resource]?.[operation];
				if (act === undefined) throw new Error(`There is no ${operation} of ${resource}.`);
				const answer = (await act(this, item)) as IDataObject | IDataObject[];
				for (const json of Array.isArray(answer) ? answer : [answer]) {
					results.push({ json, pairedItem: { item } });
				}
			} catch (error) {
				if (!this.continueOnFail()) throw error;
				const told = error instanceof Refused ? { description: error.description } : {};
				const json = { error: (error as Error).message, ...told };
				results.push({ json, pairedItem: { item } });
			}
		}
		return [results];
	}
}
