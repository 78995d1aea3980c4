// Shows the description that this service serves; nothing is sent elsewhere.
SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#page",
  deepLinking: true,
  displayRequestDuration: true,
  validatorUrl: "none",
});
