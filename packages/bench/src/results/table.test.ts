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
  it('pads all lines to the same width', () => {
    const lines = formatRows([row({}), row({ measure: 'A much longer measure' })]).split('\n')
    expect(new Set(lines.map((line) => line.length)).size).toBe(1)
  })

  it('shows a dash without a comparison', () => {
    expect(formatRows([row({ alternative: '' })])).toContain('| –')
  })

  it.each([
    { passed: true, word: 'reached' },
    { passed: false, word: 'MISSED' },
  ])('says $word for $passed', ({ passed, word }) => {
    expect(formatRows([row({ passed })])).toContain(`| ${word}`)
  })

  it('says for information without a target', () => {
    expect(formatRows([{ measure: 'Speed', figure: '9' }])).toContain('| for information')
  })
})

describe('hasMissed', () => {
  it('is true as soon as one target was missed', () => {
    expect(hasMissed([row({}), row({ passed: false })])).toBe(true)
  })

  it('ignores rows without a target', () => {
    expect(hasMissed([{ measure: 'Speed', figure: '9' }, row({})])).toBe(false)
  })
})
