/** Reads the tags of a DKIM or DMARC record (`v=DMARC1; p=none`). The first of several tags of a name counts. */
export function readTags(record: string): ReadonlyMap<string, string> {
  const tags = new Map<string, string>()
  for (const tag of record.split(';')) {
    const equals = tag.indexOf('=')
    const name = tag.slice(0, Math.max(equals, 0)).trim().toLowerCase()
    if (name !== '' && !tags.has(name)) tags.set(name, tag.slice(equals + 1).trim())
  }
  return tags
}
