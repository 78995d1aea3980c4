// n8n's own engine (n8n-core) around the two nodes: it fills in parameters and expressions, signs
// calls with the credential and hands binary files over, as an installed n8n does.
require('reflect-metadata');
const {
	BinaryDataService,
	ExecuteContext,
	LoadOptionsContext,
	PollContext,
} = require('n8n-core');
const { Container } = require('@n8n/di');
const { Workflow } = require('n8n-workflow');
const { GoldenhourApi } = require('../dist/credentials/GoldenhourApi.credentials.js');
const { Goldenhour } = require('../dist/nodes/Goldenhour/Goldenhour.node.js');
const { GoldenhourTrigger } = require('../dist/nodes/Goldenhour/GoldenhourTrigger.node.js');

const NODES = { goldenhour: new Goldenhour(), goldenhourTrigger: new GoldenhourTrigger() };
const nodeTypes = {
	getByName: (name) => NODES[name],
	getByNameAndVersion: (name) => NODES[name],
	getKnownTypes: () => ({}),
};

/** A workflow of one node, which belongs to whoever has this key. */
class Engine {
	constructor(baseUrl, apiKey, executionId = 'execution-1') {
		this.credential = { baseUrl, apiKey };
		this.executionId = executionId;
	}

	node(type, parameters, more = {}) {
		return {
			id: 'node-1', name: 'goldenhour', type, typeVersion: 1, position: [0, 0],
			credentials: { goldenhourApi: { id: '1', name: 'key' } }, parameters, ...more,
		};
	}

	workflow(node) {
		return new Workflow({ id: 'w', nodes: [node], connections: {}, active: false, nodeTypes });
	}

	get additional() {
		const type = new GoldenhourApi();
		return {
			executionId: this.executionId,
			currentNodeExecutionIndex: 0,
			variables: {},
			credentialsHelper: {
				getDecrypted: async () => this.credential,
				getParentTypes: () => [],
				authenticate: async (credentials, name, options) => {
					const value = type.authenticate.properties.headers.Authorization;
					const told = value.slice(1).replace('{{$credentials.apiKey}}', credentials.apiKey);
					return { ...options, headers: { ...options.headers, Authorization: told } };
				},
				preAuthentication: async () => undefined,
			},
		};
	}

	/** Run the action node over items and return the items it puts out. */
	async run(parameters, items = [{ json: {} }], more = {}) {
		const node = this.node('goldenhour', parameters, more);
		const workflow = this.workflow(node);
		const input = { main: [items] };
		const context = new ExecuteContext(
			workflow, workflow.getNode(node.name), this.additional, 'trigger',
			{ resultData: { runData: {} } }, 0, items, input, { node, data: input, source: null }, [],
		);
		const [out] = await NODES.goldenhour.execute.call(context);
		return out;
	}

	/** Return what a choice in the editor lists. */
	async choices(method) {
		const node = this.node('goldenhour', {});
		const context = new LoadOptionsContext(this.workflow(node), node, this.additional, '');
		return await NODES.goldenhour.methods.loadOptions[method].call(context);
	}

	/** Return a poll: each call of it is one more poll of the same active workflow. */
	poller(statuses, mode = 'trigger') {
		const node = this.node('goldenhourTrigger', { statuses });
		const workflow = this.workflow(node);
		return async () => {
			const context = new PollContext(
				workflow, workflow.getNode(node.name), this.additional, mode, 'activate',
			);
			const answer = await NODES.goldenhourTrigger.poll.call(context);
			return answer === null ? null : answer[0].map((each) => each.json);
		};
	}
}

/** Let n8n keep files in memory, as it does by default. */
async function prepare() {
	await Container.get(BinaryDataService).init({ mode: 'default', availableModes: ['default'] });
}

module.exports = { Engine, prepare };
