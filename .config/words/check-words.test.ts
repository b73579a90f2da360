import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findWords, listCheckedFiles } from './check-words.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidings-words-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('finds a word of the table in a comment, an identifier, a title and a text, with its line', () => {
  const lines = [
    '/** Returns the member. */',
    '// Answers whoever asks.',
    'const patienceMs = 5',
    "it('is told so')",
    "throw new Error('The stand-in is away')",
    '  /** What a text says. */',
    '/** Returns what a text says, of use or not. */',
    '// It is of use to readers.',
    "logger.warn({ err: error }, 'all sending is held')",
    "'storing a pdf failed'",
    "logger.error({ err: error }, 'subscription sync failed')",
  ]
  writeFileSync(join(folder, 'a.ts'), lines.join('\n'))

  const found = findWords(folder, ['a.ts']).map(({ line, word }) => `${line}: ${word}`)

  expect(found.sort()).toEqual(
    [
      '2: // Answers',
      '2: whoever',
      '3: patience',
      '4: is told so',
      '5: stand-in',
      '6: /** What',
      '8: is of use',
      "9: logger.warn({ err: error }, 'all sending is",
      "10: 'storing a pdf failed'",
    ].sort(),
  )
})

it('accepts plain words', () => {
  writeFileSync(join(folder, 'a.md'), 'The emulator returns an error to the requester.')

  expect(findWords(folder, ['a.md'])).toEqual([])
})

it.each([
  ['a comma, and e-mail', ['e-mail']],
  ["label: 'Memo by e-mail'", []],
  ['The text comes at 8 AM', ['8 AM']],
  ['The text comes at 8am', ['8am']],
  ['The text comes at 8 a.m.', ['8 a.m.']],
  ['The 10AM edition comes at 10:00 AM', []],
  ["{ timeStyle: 'short' }", ["timeStyle: 'short'"]],
  ['You signed in', ['signed in']],
  ["'Logout'", ["'Logout"]],
  ["'Log out'", []],
  ["logout: 'Logout'", []],
  ["'This sign-in has expired'", ['This sign-in']],
  ["'provider sign-in refused'", []],
  ["'We couldn’t sign you in'", ['sign you in']],
  ["'Wait. Please try again.'", ['Please']],
  ["'Please wait...'", []],
  ["'Please input your email.'", []],
  ["'Your account was successfully updated'", ['successfully']],
  ["'Successfully updated'", []],
  ["'You have successfully logged in.'", []],
  ["'It failed. Contact us.'", ['Contact us']],
  ["'Something went wrong'", ['Something went wrong']],
  ["'An error occurred'", ["'An error occurred"]],
  ["unexpected: 'An error occurred'", []],
  ["'by text message'", ['text message']],
  ["label: 'Memo by SMS'", []],
  ["'Your number is verified.'", ["'Your number is verified"]],
  ["'This plan is not free.'", ["'This plan is not"]],
  ['// By e-mail at 8am', []],
  [`"We can't load it."`, ["n't"]],
  ["'We can’t load it.'", []],
  ["// It isn't text.", []],
])('finds in what readers read, in %s, the words %j', (line, words) => {
  for (const path of ['apps/web/src', 'apps/desk/src']) mkdirSync(join(folder, path), { recursive: true })
  for (const path of ['apps/web/src/a.tsx', 'apps/desk/src/a.tsx', 'apps/web/src/a.test.tsx'])
    writeFileSync(join(folder, path), line)

  expect(findWords(folder, ['apps/web/src/a.tsx']).map(({ word }) => word)).toEqual(words)
  expect(findWords(folder, ['apps/desk/src/a.tsx', 'apps/web/src/a.test.tsx'])).toEqual([])
})

it('finds them in the widget and the client, but not in the widget’s other languages', () => {
  const folders = ['packages/widget/src/translations/notices', 'packages/client/src']
  for (const path of folders) mkdirSync(join(folder, path), { recursive: true })
  const files = ['widget/src/translations/en.ts', 'widget/src/translations/de.ts', 'client/src/a.ts'].map(
    (file) => `packages/${file}`,
  )
  for (const path of files) writeFileSync(join(folder, path), "'Deine E-Mail'")

  expect(findWords(folder, files).map(({ file }) => file)).toEqual([files[0], files[2]])
})

it('reads the sources, papers and schemas of this checkout, but not the seeded editions', () => {
  const files = listCheckedFiles()

  expect(files).toEqual(
    expect.arrayContaining(['README.md', 'apps/api/src/app.ts', 'prisma/schema/base.prisma']),
  )
  expect(files.filter((file) => file.startsWith('apps/api/seed/content/'))).toEqual([])
})
