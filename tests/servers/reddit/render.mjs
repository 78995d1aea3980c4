// What Reddit's own renderer (snudown, compiled to JavaScript) makes of texts: reads a JSON list of
// them from standard input, writes a list of HTML.
import { markdown } from 'snudown-js'

let input = ''
for await (const piece of process.stdin) input += piece
console.log(JSON.stringify(JSON.parse(input).map((text) => markdown(text))))
