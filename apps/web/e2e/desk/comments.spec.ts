import { violationsInDark, violationsInLight } from '../accessibility.ts'
import { editorOf } from '../editor.ts'
import { expect, test } from './desk-page.ts'
import { reportedComments } from './reported-comments.ts'

test.use({ viewport: { width: 1440, height: 900 } })

test.describe('the comments at the desk', () => {
  test('are hidden and kept by keyboard, together and one by one, and hiding is undone', async ({
    desk,
    request,
  }) => {
    const edition = await editorOf(request).publish(['Bees may be insured like cattle'])
    const words = ['first', 'second', 'third'].map((each) => `The ${each} word below ${edition}`)
    await reportedComments(request, edition, words)
    const [first = '', second = '', third = ''] = words
    await desk.goto('/desk/comments')
    const list = desk.getByRole('region', { name: 'Comments' })
    const row = (content: string) => list.getByRole('listitem').filter({ hasText: content })
    await expect(row(first)).toContainText('Reported once: advertising')
    await expect(list.getByText('That is every report.')).toBeVisible()
    expect([...(await violationsInLight(desk)), ...(await violationsInDark(desk))]).toEqual([])

    for (const content of [first, second]) {
      await list.getByRole('button', { name: content }).click()
      await desk.keyboard.press('x')
    }
    await desk.keyboard.press('h')

    await expect(desk.getByText('Hidden: 2 comments.')).toBeVisible()
    await expect(row(first)).toHaveCount(0)
    await expect(row(second)).toHaveCount(0)
    await desk.keyboard.press('ControlOrMeta+z')
    await expect(row(first)).toHaveCount(1)
    await expect(row(second)).toHaveCount(1)

    await list.getByRole('button', { name: third }).click()
    await expect(desk.getByRole('complementary', { name: 'Context' })).toContainText('“advertising”')
    expect([...(await violationsInLight(desk)), ...(await violationsInDark(desk))]).toEqual([])
    await desk.keyboard.press('e')
    await expect(desk.getByText('Kept: 1 comment.')).toBeVisible()
    await expect(row(third)).toHaveCount(0)
  })

  test('are found by their words, and hidden with their author after a question', async ({
    desk,
    request,
  }) => {
    const edition = await editorOf(request).publish(['Harbour opens'])
    const content = `Link in profile below ${edition}`
    const author = await reportedComments(request, edition, [content])
    await desk.goto('/desk/comments')
    await desk.getByLabel('Find words or a name').fill(content)
    await desk.keyboard.press('Enter')
    await expect(desk).toHaveURL(/show=all/)
    await desk.getByRole('button', { name: content }).click()

    await desk.getByRole('button', { name: 'Hide all by this author…' }).click()
    const dialog = desk.getByRole('dialog', { name: `Hide all comments by ${author}?` })
    expect([...(await violationsInLight(desk)), ...(await violationsInDark(desk))]).toEqual([])
    await dialog.getByRole('button', { name: 'Hide all' }).click()

    await expect(desk.getByText(`Hidden: all comments by ${author}.`)).toBeVisible()
    const row = desk
      .getByRole('region', { name: 'Comments' })
      .getByRole('listitem')
      .filter({ hasText: content })
    await expect(row).toContainText('Hidden with its author')
    await desk.getByRole('button', { name: 'Undo' }).click()
    await expect(row).not.toContainText('Hidden with its author')
  })

  test('are decided on a phone', async ({ desk, request }) => {
    await desk.setViewportSize({ width: 390, height: 844 })
    const edition = await editorOf(request).publish(['Harbour opens'])
    const content = `Seen on a phone below ${edition}`
    await reportedComments(request, edition, [content])
    await desk.goto('/desk/comments')
    const row = desk.getByRole('listitem').filter({ hasText: content })
    await row.getByRole('button', { name: content }).click()
    await expect(row.getByRole('heading', { name: 'Where it stands' })).toBeVisible()
    expect([...(await violationsInLight(desk)), ...(await violationsInDark(desk))]).toEqual([])

    await row.getByRole('button', { name: 'Hide', exact: true }).click()

    await expect(desk.getByText('Hidden: 1 comment.')).toBeVisible()
    await expect(row).toHaveCount(0)
  })
})
