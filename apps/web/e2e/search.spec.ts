import { accessibilityViolations } from './accessibility.ts'
import { editorOf } from './editor.ts'
import { createAccount, openSession } from './members/member.ts'
import { expect, test } from './reader.ts'

test('an old memo is found by a word, opened in its edition, and left by the way back', async ({
  reader,
  request,
}) => {
  const edition = await editorOf(request).publish(['Quinces ripen early', 'Wolverine seen at the pass'])

  await test.step('from the foot of the news, without anything typed', async () => {
    await reader.goto('/#/home')
    await reader.getByRole('link', { name: 'Search' }).click()
    await expect(reader.getByRole('heading', { level: 1, name: 'Search' })).toBeVisible()
    expect(await accessibilityViolations(reader)).toEqual([])
  })

  const field = reader.getByRole('searchbox', { name: 'Words to look for' })
  const result = reader.getByRole('link', { name: 'Wolverine seen at the pass' })

  await test.step('while the reader types, with the words in the address', async () => {
    await field.pressSequentially('wolver')
    await expect(result).toBeVisible()
    await expect(reader.getByRole('status').filter({ hasText: '1 result' })).toHaveCount(1)
    await expect(reader).toHaveURL(/#\/search\?q=wolver$/)
    expect(await accessibilityViolations(reader)).toEqual([])
  })

  await test.step('despite a typing error, and by days', async () => {
    await field.fill('wolvrine')
    await expect(reader.getByText('Nothing matches exactly. These titles are similar:')).toBeVisible()
    await expect(result).toBeVisible()
    await reader.getByText('Choose days', { exact: true }).click()
    await reader.getByLabel('Last day').fill('2001-01-01')
    await expect(reader.getByText('Nothing found for')).toBeVisible()
    expect(await accessibilityViolations(reader)).toEqual([])
    await reader.getByRole('button', { name: 'Search all days' }).click()
    await expect(result).toBeVisible()
  })

  await test.step('by keyboard alone, into its edition and back', async () => {
    await result.focus()
    await reader.keyboard.press('Enter')
    await expect(reader).toHaveURL(new RegExp(`#/edition/${edition}$`))
    const title = reader.getByRole('button', { name: 'Wolverine seen at the pass' })
    await expect(title).toHaveAttribute('aria-expanded', 'true')
    await expect(title).toBeInViewport()
    await expect(reader.getByRole('button', { name: 'Quinces ripen early' })).toHaveAttribute(
      'aria-expanded',
      'false',
    )
    await reader.goBack()
    await expect(field).toHaveValue('wolvrine')
    await reader.reload()
    await expect(field).toHaveValue('wolvrine')
    await expect(result).toBeVisible()
  })
})

test('a gated article is found by its text, but by members only', async ({ reader }) => {
  const search = async () => await reader.goto('/#/search?q=caesium+atoms')
  await search()
  await expect(reader.getByText('Nothing found for')).toBeVisible()
  await openSession(reader, await createAccount(reader))
  await search()
  const result = reader.locator('.result', { hasText: 'Article' })
  await expect(result.getByText('Caesium', { exact: true })).toBeVisible()
  await result.getByRole('link').click()
  await expect(reader.locator('.prose').first()).toContainText('Caesium atoms')
})

test('searching without a connection says so, and works again with one', async ({
  reader,
  consoleErrors,
}) => {
  await reader.goto('/#/search')
  await expect(reader.getByRole('searchbox')).toBeVisible()
  await reader.context().setOffline(true)
  await reader.getByRole('searchbox').fill('moon')
  await expect(reader.getByRole('alert')).toHaveText('You’re offline. Searching needs a connection.')
  await reader.context().setOffline(false)
  await expect(reader.getByRole('alert')).toHaveCount(0)
  await expect(reader.locator('.result').first()).toBeVisible()
  consoleErrors.ignore()
})
