"""The app: what a person does in a browser, as pages made on the server.

The API's pipeline hands it the requests for pages, by `session_gatekeeper`. Pages call services and
add no rule of their own; each works without JavaScript, which only adds what comes in by itself.
"""
