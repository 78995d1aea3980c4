// Goes on with a plan by itself: the next lines are asked for once these are made.
"use strict";
document.querySelector("[data-go-on]").requestSubmit();
