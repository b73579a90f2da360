import type { Request } from '@playwright/test'
import { bodySizes } from '../reader.ts'
import { expect, test } from './desk-page.ts'
import { draftOf } from './publish-data.ts'
import { textOf } from './written-memo.ts'

// The budgets are in gzip, which every browser reads.
test.use({ viewport: { width: 1440, height: 900 }, extraHTTPHeaders: { 'accept-encoding': 'gzip' } })

test('the desk loads at most 150 kB of code at first, and at most 95 kB for the editor of a memo', async ({
  desk,
  request,
}) => {
  const scripts: Request[] = []
  desk.on('requestfinished', (finished) => {
    if (finished.resourceType() === 'script') scripts.push(finished)
  })
  const sum = async (pattern: RegExp) =>
    (await bodySizes(scripts))
      .filter(({ path }) => pattern.test(path))
      .reduce((total, { bytes }) => total + bytes, 0)

  await desk.goto('/desk', { waitUntil: 'networkidle' })
  const first = await sum(/./)
  expect(first).toBeGreaterThan(100_000)
  expect(first).toBeLessThanOrEqual(150_000)

  const key = '05-09-51-3PM'
  await draftOf(request, key, ['A memo'])
  await desk.goto(`/desk/editions/${key}`, { waitUntil: 'networkidle' })
  await expect(textOf(desk)).toBeVisible()
  const editor = await sum(/\/(?:rich-text|read-clipboard)-/)
  expect(editor).toBeGreaterThan(60_000)
  expect(editor).toBeLessThanOrEqual(95_000)
})
