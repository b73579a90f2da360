import { invalid } from '../protocol/errors.ts'
import { integer, integerBetween, text } from '../protocol/params.ts'
import type { WireObject } from '../protocol/wire-object.ts'
import type { Metadata } from '../records/common.ts'

/** The parameters of every search; spread into its object. */
export const searchParams = {
  query: text,
  limit: integerBetween(1, 100).optional(),
  page: integer.optional(),
}

type SearchParams = { query: string; limit?: number | undefined; page?: number | undefined }

/** What a search looks into: metadata, and texts or words by field. */
export type Searchable = { metadata: Metadata; fields: Record<string, string | null> }

type Clause = { isNegated: boolean; field: string; key: string | null; operator: ':' | '~'; value: string }

const clausePattern =
  /^\s*(-?)\s*([a-z_.]+)(?:\[(["'])(.*?)\3\])?\s*([:~])\s*(?:"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'|(\S+))\s*/i

/** One page of what matches a query in Stripe's search language: clauses joined by AND, or all of them by OR. */
export function search<Entry>(
  records: readonly Entry[],
  { query, limit = 10, page = 1 }: SearchParams,
  {
    url,
    look,
    toWire,
  }: { url: string; look: (entry: Entry) => Searchable; toWire: (entry: Entry) => WireObject },
): WireObject {
  const { clauses, isAny } = readQuery(query)
  const found = records.filter((record) => {
    const entry = look(record)
    const holds = (clause: Clause) => matches(entry, clause)
    return isAny ? clauses.some(holds) : clauses.every(holds)
  })
  const start = (page - 1) * limit
  const hasMore = start + limit < found.length
  return {
    object: 'search_result',
    data: found.slice(start, start + limit).map(toWire),
    has_more: hasMore,
    next_page: hasMore ? String(page + 1) : null,
    url,
  }
}

function readQuery(query: string) {
  const clauses: Clause[] = []
  const joints = new Set<string>()
  let rest = query
  while (rest.trim() !== '') {
    const clause = clausePattern.exec(rest)
    if (!clause) throw unreadable(query)
    const [whole, minus, field = '', , key, operator, double, single, bare] = clause
    const value = (double ?? single ?? bare ?? '').replaceAll(/\\(.)/g, '$1')
    const isNegated = minus === '-'
    clauses.push({ isNegated, field, key: key ?? null, operator: operator === '~' ? '~' : ':', value })
    rest = rest.slice(whole.length)
    const joint = /^(AND|OR)\b/i.exec(rest)?.[0]
    if (joint) rest = rest.slice(joint.length)
    if (rest.trim() !== '') joints.add(joint?.toUpperCase() ?? 'AND')
  }
  if (clauses.length === 0 || joints.size > 1) throw unreadable(query)
  return { clauses, isAny: joints.has('OR') }
}

function matches(
  { metadata, fields }: Searchable,
  { isNegated, field, key, operator, value }: Clause,
): boolean {
  if (key === null && !Object.hasOwn(fields, field)) {
    const known = [...Object.keys(fields), 'metadata'].join(', ')
    throw invalid(`Field \`${field}\` is an unsupported search field. Supported: ${known}.`, {
      param: 'query',
    })
  }
  const held = key === null ? fields[field] : metadata[key]
  return holdsValue(held ?? null, operator, value) !== isNegated
}

function holdsValue(held: string | null, operator: ':' | '~', value: string) {
  if (value.toLowerCase() === 'null') return held === null
  if (held === null) return false
  const [text, wanted] = [held.toLowerCase(), value.toLowerCase()]
  return operator === ':' ? text === wanted : text.includes(wanted)
}

function unreadable(query: string) {
  const message = `We were unable to parse your search query: ${query}. Clauses read like email:'ann@example.com' or metadata['key']:'value', and are joined by AND or by OR.`
  return invalid(message, { param: 'query' })
}
