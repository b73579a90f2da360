import { expect, it } from 'vitest'
import { withFieldLabel } from './field-labels.ts'

it.for([
  ['memo_content: has 59,437 characters', 'Text: has 59,437 characters'],
  ['source: must be an address', 'Source: must be an address'],
  ['unknown_field: must not be there', 'unknown_field: must not be there'],
  ['3PM is past: choose Now.', '3PM is past: choose Now.'],
  ['The title: it is missing.', 'The title: it is missing.'],
] as const)('a refusal that says %s is shown as %s', ([said, shown]) => {
  expect(withFieldLabel(said)).toBe(shown)
})
