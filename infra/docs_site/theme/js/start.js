// What the theme's scripts and its search look for; a policy without inline scripts forbids the
// theme's own way of saying it.
var base_url = document.currentScript.dataset.baseUrl;
var shortcuts = JSON.parse(document.currentScript.dataset.shortcuts);
