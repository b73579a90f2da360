import { accessibilityViolations } from '../accessibility.ts'
import { expect, test } from './desk-page.ts'
import { draftOf } from './publish-data.ts'

test.describe('the keys of the desk', () => {
  test('find a memo, do what the screen can do, and show themselves', async ({ desk, request }) => {
    const key = '02-03-48-3PM'
    await draftOf(request, key, ['Zephyrs over Zanzibar', 'Quagmires of Quito'])
    await desk.goto('/desk/you')
    await expect(desk.getByRole('heading', { level: 1 })).toBeVisible()

    await desk.keyboard.press('Control+k')
    const palette = desk.getByRole('dialog', { name: 'Find or do' })
    await expect(palette.getByRole('option', { name: /^Archive/ })).toBeVisible()
    expect(await accessibilityViolations(desk)).toEqual([])
    await desk.keyboard.type('zephyrs zanz')
    await expect(palette.getByRole('option', { name: /^Zephyrs over Zanzibar/ })).toHaveAttribute(
      'aria-selected',
      'true',
    )
    await desk.keyboard.press('Enter')
    await expect(desk).toHaveURL(new RegExp(`/desk/editions/${key}/memos/`))
    await expect(palette).toBeHidden()

    await expect(desk.getByLabel('Title', { exact: true })).toHaveValue('Zephyrs over Zanzibar')
    await desk.keyboard.press('Control+k')
    await expect(palette).toBeVisible()
    await desk.keyboard.type('move zeph down')
    await expect(palette.getByRole('option', { name: /^Move “Zephyrs/ })).toHaveAttribute(
      'aria-selected',
      'true',
    )
    await desk.keyboard.press('Enter')
    await expect(desk.getByText('Zephyrs over Zanzibar, place 2 of 2')).toBeAttached()
    await desk.keyboard.press('Alt+ArrowUp')
    await expect(desk.getByText('Zephyrs over Zanzibar, place 1 of 2')).toBeAttached()

    await desk.keyboard.press('n')
    await expect(desk.getByLabel('Title', { exact: true })).toHaveValue('')
    await expect(desk.getByLabel('Title', { exact: true })).toBeFocused()
    await desk.keyboard.press('Control+k')
    await expect(palette).toBeVisible()
    await desk.keyboard.type('new memo')
    await expect(palette.getByRole('option', { name: /^New memo/ })).toHaveAttribute('aria-selected', 'true')
    await desk.keyboard.press('Enter')
    await expect(desk.getByText('memo 4 of 4')).toBeVisible()
    await expect(desk.getByLabel('Title', { exact: true })).toBeFocused()
    await desk.getByLabel('Title', { exact: true }).blur()

    await desk.keyboard.press('Control+k')
    await desk.keyboard.type('qzxv wqkj')
    await expect(palette.getByRole('option')).toHaveText([/^Find “qzxv wqkj” among the members/])
    await desk.keyboard.press('Escape')
    await expect(palette).toBeHidden()
    await desk.keyboard.press('?')
    const help = desk.getByRole('dialog', { name: 'Keyboard' })
    await expect(help.getByRole('heading', { name: 'In an edition' })).toBeVisible()
    expect(await accessibilityViolations(desk)).toEqual([])
  })

  test('go to screens one after the other, and single letters can be turned off', async ({ desk }) => {
    await desk.goto('/desk/days/02-04-48')
    await expect(desk.getByRole('heading', { level: 1 })).toHaveText('Tuesday, February 4')

    await desk.keyboard.press('ArrowRight')
    await expect(desk.getByRole('heading', { level: 1 })).toHaveText('Wednesday, February 5')
    await desk.keyboard.press('2')
    await expect(desk).toHaveURL(/\/desk\/editions\/02-05-48-3PM$/)
    await desk.keyboard.press('g')
    await desk.keyboard.press('p')
    await expect(desk.getByRole('heading', { level: 1, name: 'People' })).toBeVisible()
    await desk.keyboard.press('/')
    await expect(desk.getByRole('searchbox', { name: 'Search the archive' })).toBeFocused()
    await desk.keyboard.type('g t')
    await expect(desk.getByRole('searchbox')).toHaveValue('g t')

    await desk.goto('/desk/you')
    await desk.getByRole('checkbox', { name: 'Single letters are commands outside texts' }).uncheck()
    await desk.getByRole('heading', { level: 1 }).click()
    await desk.keyboard.press('g')
    await desk.keyboard.press('t')
    await desk.keyboard.press('?')
    await desk.keyboard.press('Control+k')
    await expect(desk.getByRole('dialog', { name: 'Find or do' })).toBeVisible()
    await expect(desk.getByRole('dialog', { name: 'Keyboard' })).toBeHidden()
    await expect(desk).toHaveURL(/\/desk\/you$/)
  })
})
