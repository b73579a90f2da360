import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, it } from 'vitest'

const { resolve } = createRequire(import.meta.url)

const rulesOf = (file: string) =>
  readFileSync(resolve(file), 'utf8')
    .split('}')
    .filter((rule) => rule.includes('hyphens: auto'))

// Safari has no `hyphenate-limit-chars`. Without limits of its own, it would divide short words, too.
it.each([
  ['./base.css', 'hyphenate-limit-chars: 14 5 5', 7],
  ['../features/articles/articles.css', 'hyphenate-limit-chars: 14 5 5', 7],
  ['@tidings/ui/styles/memo.css', 'hyphenate-limit-chars: 14 5 5', 7],
  ['@tidings/ui/styles/prose.css', 'hyphenate-limit-chars: 8 4 4', 4],
])('%s divides only long words, in every browser', (file, limit, letters) => {
  const [rule, ...others] = rulesOf(file)
  expect(others).toEqual([])
  expect(rule).toContain(limit)
  expect(rule).toContain(`-webkit-hyphenate-limit-before: ${letters};`)
  expect(rule).toContain(`-webkit-hyphenate-limit-after: ${letters};`)
})
