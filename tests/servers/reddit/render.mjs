// What a renderer makes of texts: reads [its name, a list of texts] as JSON from standard input,
// writes a list of HTML. `reddit` is Reddit's own (snudown, compiled to JavaScript), `commonmark`
// follows CommonMark with GitHub's additions, as apps of Reddit do.
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { markdown } from 'snudown-js'

const additions = { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] }
const renderers = { reddit: markdown, commonmark: (text) => micromark(text, additions) }

let input = ''
for await (const piece of process.stdin) input += piece
const [name, texts] = JSON.parse(input)
console.log(JSON.stringify(texts.map((text) => renderers[name](text))))
