import type { IDisplayOptions, INodePropertyOptions } from 'n8n-workflow';

/** Where a parameter is shown: for these operations of a resource. */
export function shownFor(resource: string, ...operation: string[]): IDisplayOptions {
	return { show: { resource: [resource], operation } };
}

/** The API's numbers of weekdays, by name as n8n lists choices. */
export const WEEKDAYS: INodePropertyOptions[] = [
	{ name: 'Friday', value: 4 },
	{ name: 'Monday', value: 0 },
	{ name: 'Saturday', value: 5 },
	{ name: 'Sunday', value: 6 },
	{ name: 'Thursday', value: 3 },
	{ name: 'Tuesday', value: 1 },
	{ name: 'Wednesday', value: 2 },
];
