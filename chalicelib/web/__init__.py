"""The app: what a person does in a browser, as pages made on the server.

The request pipeline of `chalicelib/http` serves them through `session_gatekeeper`. Pages call
services and add no rules of their own. They work without JavaScript, except passkeys and browser
notices, which need it.
"""
