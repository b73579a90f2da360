import { expect, it } from 'vitest'
import { catalog } from '../../translations/en.ts'
import { createTranslate } from '../../translations/translate.ts'
import { brandColors, readableOn } from '../view/brand-colors.ts'
import { emailError, isEmail } from './checks.ts'
import { emptyCode, isComplete, spreadDigits } from './code-entry.ts'

it.each([
  ['ada@example.com', true],
  ['ada@mail.example.co', true],
  ['ada@example.c', false],
  ['@example.com', false],
  ['ada.example.com', false],
])('%s is an email address: %s', (text, isValid) => expect(isEmail(text)).toBe(isValid))

it('spreads a pasted code across the boxes', () => {
  const { digits, next } = spreadDigits(emptyCode, 'Code: 123 456', 3)
  expect(digits).toEqual(['1', '2', '3', '4', '5', '6'])
  expect([isComplete(digits), isComplete(emptyCode), next]).toEqual([true, false, 5])
})

it.each([
  'Your code is 123 456. It expires in 10 minutes.',
  '\u202a123\u2011456\u202c',
  '１２３４５６',
  '١٢٣٤٥٦',
  'G-123456',
])('finds the code in %j', (text) => {
  expect(spreadDigits(emptyCode, text, 2).digits.join('')).toBe('123456')
})

it('takes a digit of any script into its box', () => {
  expect(spreadDigits(emptyCode, '７', 1)).toEqual({ digits: ['', '7', '', '', '', ''], next: 2 })
})

it.each([
  '\u200bada@example.com\u00a0',
  'mailto:ada@example.com',
  'Ada <ada@example.com>',
  'ada＠example．com',
])('has no error for the pasted address %j', (text) =>
  expect(emailError(createTranslate(catalog))(text)).toBeUndefined(),
)

it('chooses the readable text color', () => {
  expect(readableOn([41, 98, 255])).toBe('#ffffff')
  expect(readableOn([255, 221, 0])).toBe('#111111')
})

it.each([
  [[90, 40, 130], 'light-dark(transparent, var(--line))'],
  [[255, 180, 100], 'light-dark(var(--line), transparent)'],
  [[41, 98, 255], 'light-dark(transparent, transparent)'],
] as const)('gives a button of %s an edge where it hardly stands out', (color, edge) => {
  expect(brandColors('any', () => color)['--primary-edge']).toBe(edge)
})

it.each([
  [[28, 27, 25], 'light-dark(red, var(--ink))', 'light-dark(#ffffff, var(--paper))'],
  [[255, 252, 245], 'light-dark(var(--ink), red)', 'light-dark(var(--paper), #111111)'],
  [[41, 98, 255], 'light-dark(red, red)', 'light-dark(#ffffff, #ffffff)'],
] as const)("replaces the color %s where it is the dialog's own", (color, primary, text) => {
  const colors = brandColors('red', () => color)
  expect([colors['--primary'], colors['--on-primary']]).toEqual([primary, text])
})
