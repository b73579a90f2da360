import { describe, expect, test } from 'vitest'
import { releaseNotes } from './release-notes.ts'

const changelog = `# Changelog

What changed.

## 0.2.0 (2027-01-04)

### Added

- A desk.

## 0.1.0 (2026-12-01)

- The first one.
`

describe('releaseNotes', () => {
  test('are the section of the version', () => {
    expect(releaseNotes('v0.2.0', { changelog, version: '0.2.0' })).toBe('### Added\n\n- A desk.\n')
    expect(releaseNotes('v0.1.0', { changelog, version: '0.1.0' })).toBe('- The first one.\n')
  })

  test.each([
    ['of another version than package.json', 'v0.1.0', '0.2.0', changelog, 'is not v0.2.0'],
    ['without a section', 'v0.3.0', '0.3.0', changelog, '## 0.3.0 (YYYY-MM-DD)'],
    [
      'whose section has no day',
      'v1.0.0',
      '1.0.0',
      '## 1.0.0 (not released yet)\n\n- All.\n',
      'with the day',
    ],
    ['whose section is empty', 'v1.0.0', '1.0.0', '## 1.0.0 (2027-02-01)\n', 'says nothing'],
    ['whose number begins another one', 'v1.0', '1.0', '## 1.0.1 (2027-02-01)\n\n- A fix.\n', '## 1.0 ('],
  ])('refuse a tag %s', (_name, tag, version, text, message) => {
    expect(() => releaseNotes(tag, { changelog: text, version })).toThrow(message)
  })
})
