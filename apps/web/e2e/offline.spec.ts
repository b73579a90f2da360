import { expect, test } from './reader.ts'

test.describe('the first paint', () => {
  test('draws the masthead and the rules from the shell alone', async ({ reader }) => {
    await reader.route('**/static/js/*', () => {})
    await reader.goto('/', { waitUntil: 'commit' })
    await expect(reader.locator('.site-name')).toHaveText('Tidings')
    await expect(reader.locator('.loading-row')).toHaveCount(6)
    const skeleton = await reader.locator('.loading-skeleton').boundingBox()
    await reader.unrouteAll({ behavior: 'ignoreErrors' })
    // The memos begin where the shell has its first rule, so that nothing jumps.
    await reader.route(/\/edition\/prod\/[\d-]+\w+$/, () => {})
    await reader.goto('/?again')
    await expect(reader.locator('.masthead time')).toBeVisible()
    expect(await reader.locator('.loading-skeleton').boundingBox()).toEqual(skeleton)
    await reader.unrouteAll({ behavior: 'ignoreErrors' })
  })
})
