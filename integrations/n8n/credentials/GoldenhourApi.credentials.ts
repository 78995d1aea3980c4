import type {
	IAuthenticateGeneric,
	ICredentialTestRequest,
	ICredentialType,
	INodeProperties,
} from 'n8n-workflow';

/** A key of one workspace, and the address of the service it belongs to. */
export class GoldenhourApi implements ICredentialType {
	name = 'goldenhourApi';

	displayName = 'Goldenhour API';

	documentationUrl = 'https://docs.n8n.io/integrations/community-nodes/';

	properties: INodeProperties[] = [
		{
			displayName: 'Address of the Service',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'https://post.example.com',
			description: 'Without /v1 at the end',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'Owners and admins of a workspace make keys in the app, under Settings',
		},
	];

	authenticate: IAuthenticateGeneric = {
		type: 'generic',
		properties: { headers: { Authorization: '=Bearer {{$credentials.apiKey}}' } },
	};

	test: ICredentialTestRequest = {
		request: { baseURL: '={{$credentials.baseUrl.replace(/\\/+$/, "")}}', url: '/v1/me' },
	};
}
