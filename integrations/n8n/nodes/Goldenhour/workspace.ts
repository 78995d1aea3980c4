import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { filled, given, id, ids, made, many, one, type Operation } from './operation';
import { shownFor, WEEKDAYS } from './parameters';

/** The smaller resources, each with its operations. */
export const operations: Record<string, Record<string, Operation>> = {
	account: {
		choices: one(
			'GET',
			(context, item) => `/v1/accounts/${id(context, item, 'accountId')}/choices`,
			(context, item) => ({ query: given<IDataObject>(context, item, 'choices') }),
		),
		getAll: many('/v1/accounts'),
	},
	label: {
		create: made(() => '/v1/labels', (context, item) => ({
			name: given<string>(context, item, 'name'),
			colour: given<string>(context, item, 'colour'),
		})),
		delete: one('DELETE', (context, item) => `/v1/labels/${id(context, item, 'labelId')}`),
		getAll: many('/v1/labels'),
	},
	queueTime: {
		create: made(() => '/v1/queue-slots', (context, item) =>
			filled({
				weekdays: ids(given(context, item, 'weekdays')).map(Number),
				time: given<string>(context, item, 'time'),
				label: given<string>(context, item, 'slotLabel'),
			}),
		),
		delete: one('DELETE', (context, item) => `/v1/queue-slots/${id(context, item, 'slotId')}`),
		getAll: many('/v1/queue-slots'),
	},
	series: {
		end: one('DELETE', series),
		get: one('GET', series),
		getAll: many('/v1/series'),
	},
	workspace: {
		get: one('GET', () => '/v1/me'),
		goldenHour: one('GET', () => '/v1/golden-hour'),
		summary: one('GET', () => '/v1/analytics/summary', (context, item) => ({
			query: { days: given<number>(context, item, 'days') },
		})),
	},
};

function series(context: IExecuteFunctions, item: number): string {
	return `/v1/series/${id(context, item, 'seriesId')}`;
}

export const properties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['account'] } },
		default: 'getAll',
		options: [
			{ name: 'Get Choices', value: 'choices', action: 'Get the choices of an account', description: 'List boards, communities, playlists and places' },
			{ name: 'Get Many', value: 'getAll', action: 'Get many accounts', description: 'List the accounts of the workspace' },
		],
	},
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['label'] } },
		default: 'getAll',
		options: [
			{ name: 'Create', value: 'create', action: 'Create a label' },
			{ name: 'Delete', value: 'delete', action: 'Delete a label', description: 'Delete a label permanently; posts that had it stay' },
			{ name: 'Get Many', value: 'getAll', action: 'Get many labels' },
		],
	},
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['queueTime'] } },
		default: 'getAll',
		options: [
			{ name: 'Create', value: 'create', action: 'Create a queue time' },
			{ name: 'Delete', value: 'delete', action: 'Delete a queue time', description: 'Delete a queue time permanently; posts keep their times' },
			{ name: 'Get Many', value: 'getAll', action: 'Get many queue times' },
		],
	},
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['series'] } },
		default: 'getAll',
		options: [
			{ name: 'End', value: 'end', action: 'End a series', description: 'Take away its coming posts that nobody edited' },
			{ name: 'Get', value: 'get', action: 'Get a series' },
			{ name: 'Get Many', value: 'getAll', action: 'Get many series' },
		],
	},
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['workspace'] } },
		default: 'get',
		options: [
			{ name: 'Get', value: 'get', action: 'Get the workspace', description: 'Read whose key this is, and what is left of its allowances' },
			{ name: 'Get Golden Hours', value: 'goldenHour', action: 'Get the golden hours', description: 'Read when each platform is most active next' },
			{ name: 'Get Results', value: 'summary', action: 'Get the results', description: 'Sum up the posts of the last days' },
		],
	},
	{
		displayName: 'Account Name or ID',
		name: 'accountId',
		type: 'options',
		typeOptions: { loadOptionsMethod: 'getAccounts' },
		default: '',
		required: true,
		displayOptions: shownFor('account', 'choices'),
		description: 'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
	},
	{
		displayName: 'Narrow Down',
		name: 'choices',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		displayOptions: shownFor('account', 'choices'),
		options: [
			{ displayName: 'Board', name: 'board', type: 'string', default: '' },
			{ displayName: 'Subreddit', name: 'subreddit', type: 'string', default: '' },
			{ displayName: 'Text', name: 'q', type: 'string', default: '' },
		],
	},
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		required: true,
		displayOptions: shownFor('label', 'create'),
	},
	{
		displayName: 'Colour',
		name: 'colour',
		type: 'options',
		default: 'amber',
		displayOptions: shownFor('label', 'create'),
		options: [
			{ name: 'Amber', value: 'amber' },
			{ name: 'Blue', value: 'blue' },
			{ name: 'Green', value: 'green' },
			{ name: 'Grey', value: 'grey' },
			{ name: 'Indigo', value: 'indigo' },
			{ name: 'Lime', value: 'lime' },
			{ name: 'Orange', value: 'orange' },
			{ name: 'Pink', value: 'pink' },
			{ name: 'Purple', value: 'purple' },
			{ name: 'Red', value: 'red' },
			{ name: 'Teal', value: 'teal' },
			{ name: 'Yellow', value: 'yellow' },
		],
	},
	{
		displayName: 'Label Name or ID',
		name: 'labelId',
		type: 'options',
		typeOptions: { loadOptionsMethod: 'getLabels' },
		default: '',
		required: true,
		displayOptions: shownFor('label', 'delete'),
		description: 'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
	},
	{
		displayName: 'Weekdays',
		name: 'weekdays',
		type: 'multiOptions',
		default: [],
		required: true,
		displayOptions: shownFor('queueTime', 'create'),
		options: WEEKDAYS,
	},
	{
		displayName: 'Time of Day',
		name: 'time',
		type: 'string',
		default: '09:00',
		required: true,
		displayOptions: shownFor('queueTime', 'create'),
		description: 'By the clock of the workspace, such as 19:30',
	},
	{
		displayName: 'Label',
		name: 'slotLabel',
		type: 'string',
		default: '',
		displayOptions: shownFor('queueTime', 'create'),
	},
	{
		displayName: 'Queue Time ID',
		name: 'slotId',
		type: 'string',
		default: '',
		required: true,
		displayOptions: shownFor('queueTime', 'delete'),
	},
	{
		displayName: 'Series ID',
		name: 'seriesId',
		type: 'string',
		default: '',
		required: true,
		displayOptions: shownFor('series', 'get', 'end'),
	},
	{
		displayName: 'Days',
		name: 'days',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 365 },
		default: 30,
		displayOptions: shownFor('workspace', 'summary'),
		description: 'How many days back',
	},
];
