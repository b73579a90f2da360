const maxCharacters = 64_000
const maxBlocks = 20

/** The fields of a block, by their names in lower case. */
export type ReportFields = ReadonlyMap<string, string>

/**
 * Reads the blocks of fields that reports and headers consist of (RFC 3464, section 2.1). Reads a bounded part of the text,
 * once and without a parser for headers, because the text comes from strangers.
 */
export function readBlocks(text: string): ReportFields[] {
  return text
    .slice(0, maxCharacters)
    .replaceAll(/\r\n?/g, '\n')
    .replace(/^\s+/, '')
    .split(/\n(?:[ \t]*\n)+/, maxBlocks)
    .map(readFields)
}

/** The first of several fields of a name counts. */
function readFields(block: string): ReportFields {
  const fields = new Map<string, string>()
  let name = ''
  let isFirst = false
  for (const line of block.split('\n')) {
    if (/^[ \t]/.test(line)) {
      if (isFirst) fields.set(name, `${fields.get(name)} ${line.trim()}`)
      continue
    }
    const colon = line.indexOf(':')
    name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase()
    isFirst = name !== '' && !fields.has(name)
    if (isFirst) fields.set(name, line.slice(colon + 1).trim())
  }
  return fields
}
