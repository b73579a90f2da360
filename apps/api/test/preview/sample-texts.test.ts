import { expect, it } from 'vitest'
import { sampleTexts } from './sample-texts.ts'

it('the sample texts name the site, and say how to stop where they must', () => {
  const texts = sampleTexts()
  for (const text of Object.values(texts)) expect(text).toMatch(/^Tidings[:,]/)
  expect(texts.edition).not.toContain('STOP')
  for (const name of ['edition, once a month', 'welcome', 'reply to START', 'reply to HELP']) {
    expect(texts[name]).toContain('STOP')
  }
})
