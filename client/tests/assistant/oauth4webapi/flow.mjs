// Connects by OAuth as an assistant does. Each "open" on standard output is a page for the member,
// whose browser's next address is read from standard input; the last line says what was answered.

import { createInterface } from 'node:readline'
import * as oauth from 'oauth4webapi'

const [server] = process.argv.slice(2)
const REDIRECT = 'http://127.0.0.1:3118/callback'
const here = { [oauth.allowInsecureRequests]: true } // http, on loopback
const forServer = { additionalParameters: { resource: server }, ...here }
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const none = oauth.None()

const place = new URL(server)
const { authorization_servers, resource } = await oauth.processResourceDiscoveryResponse(
  place, await oauth.resourceDiscoveryRequest(place, here))
const issuer = new URL(authorization_servers[0])
const service = await oauth.processDiscoveryResponse(
  issuer, await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...here }))
const client = await register({ client_name: 'Otto', redirect_uris: ['http://127.0.0.1/callback'] })

const first = await ask()
const tokens = await exchange(first)
const used = await call(tokens)
const twice = await refusal(exchange(first))
const ended = await refusal(call(tokens))

const others = await exchange(await ask())
const renewed = await renew(others)
const elsewhere = await refusal(renew(renewed, { additionalParameters: { resource: issuer.href } }))
await oauth.processRevocationResponse(
  await oauth.revocationRequest(service, client, none, renewed.refresh_token, here))
const givenBack = await refusal(renew(renewed))
const refused = await refusal(ask())
const wrong = await refusal(register({ redirect_uris: ['http://evil.example/'] }))

tell({ resource, scope: tokens.scope, used, twice, ended, elsewhere, givenBack, refused, wrong })
process.exit()

async function register(metadata) {
  return oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(service, metadata, here))
}

async function ask() {
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const page = new URL(service.authorization_endpoint)
  page.search = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: REDIRECT,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    scope: 'post.read post.write',
    state,
    resource,
  })
  tell({ open: page.href })
  const { value } = await lines.next()
  return [oauth.validateAuthResponse(service, client, new URL(value), state), verifier]
}

async function exchange([answer, verifier]) {
  return oauth.processAuthorizationCodeResponse(service, client,
    await oauth.authorizationCodeGrantRequest(
      service, client, none, answer, REDIRECT, verifier, forServer))
}

async function renew({ refresh_token }, more = {}) {
  return oauth.processRefreshTokenResponse(service, client,
    await oauth.refreshTokenGrantRequest(
      service, client, none, refresh_token, { ...forServer, ...more }))
}

async function call({ access_token }) {
  const headers = new Headers({ 'content-type': 'application/json', accept: 'application/json' })
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
  const answer = await oauth.protectedResourceRequest(
    access_token, 'POST', place, headers, body, here)
  return answer.status
}

async function refusal(promise) {
  return promise.then(
    () => 'not refused',
    (failure) => failure.error ?? failure.cause?.[0]?.parameters?.error ?? String(failure))
}

function tell(said) {
  process.stdout.write(`${JSON.stringify(said)}\n`)
}
