import parser from '@typescript-eslint/parser';
import n8n from 'eslint-plugin-n8n-nodes-base';

// The rules by which n8n accepts nodes.
const plugins = { 'n8n-nodes-base': n8n };
const languageOptions = { parser, sourceType: 'module' };

export default [
	{
		files: ['credentials/*.ts'],
		plugins,
		languageOptions,
		rules: {
			...n8n.configs.credentials.rules,
			// Of n8n's own nodes, whose pages have short names; a rule beside it wants an address.
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		plugins,
		languageOptions,
		rules: {
			...n8n.configs.nodes.rules,
			// n8n's error classes would have to be imported when it runs; we take types alone.
			'n8n-nodes-base/node-execute-block-wrong-error-thrown': 'off',
		},
	},
];
