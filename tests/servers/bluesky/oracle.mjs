// What Bluesky's own client makes of texts and records: reads {texts, records} from standard input,
// writes {facets, lengths, problems}. A mention's "did" is the handle: nothing is resolved.
import { RichText, jsonToLex, lexicons } from '@atproto/api'

let input = ''
for await (const piece of process.stdin) input += piece
const { texts, records } = JSON.parse(input)

const rich = texts.map((text) => {
  const found = new RichText({ text })
  found.detectFacetsWithoutResolution()
  return found
})

function problemOf(record) {
  try {
    lexicons.assertValidRecord(record.$type, jsonToLex(record))
    return null
  } catch (error) {
    return String(error)
  }
}

console.log(JSON.stringify({
  facets: rich.map((found) => found.facets ?? []),
  lengths: rich.map((found) => found.graphemeLength),
  problems: records.map(problemOf),
}))
