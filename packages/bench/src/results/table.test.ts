import { describe, expect, it } from 'vitest'
import { formatRows, hasMissed, type Row } from './table.ts'

function row(change: Partial<Row>): Row {
  return {
    measure: 'Speed',
    figure: '9',
    alternative: '10',
    ratio: '0.90',
    target: '≥ 0.85',
    passed: true,
    ...change,
  }
}

describe('formatRows', () => {
  it('gives every line the same width', () => {
    const lines = formatRows([row({}), row({ measure: 'A much longer measure' })]).split('\n')
    expect(new Set(lines.map((line) => line.length)).size).toBe(1)
  })

  it('puts a dash where there is nothing to compare with', () => {
    expect(formatRows([row({ alternative: '' })])).toContain('| –')
  })

  it.each([
    { passed: true, word: 'reached' },
    { passed: false, word: 'MISSED' },
    { passed: null, word: 'for information' },
  ])('says $word for $passed', ({ passed, word }) => {
    expect(formatRows([row({ passed })])).toContain(`| ${word}`)
  })
})

describe('hasMissed', () => {
  it('is true as soon as one target was missed', () => {
    expect(hasMissed([row({}), row({ passed: false })])).toBe(true)
  })

  it('does not mind rows without a target', () => {
    expect(hasMissed([row({ passed: null }), row({})])).toBe(false)
  })
})
