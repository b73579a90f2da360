import { editorOf } from '../editor.ts'
import { expectAccessiblePage } from '../membership/accessible-page.ts'
import { createSubscriber, expect, openSession, test } from './member.ts'
import { pushBrowser } from './push-browser.ts'

const offer = { name: 'Notify me of new editions' }

test.describe('notifications', () => {
  test.use({ serviceWorkers: 'allow' })

  test('show a new edition quietly, open it, and end in one tap', async ({ reader }) => {
    const browser = await pushBrowser(reader)
    await openSession(reader, await createSubscriber(reader))
    await reader.goto('/#/account/dashboard')
    await reader.getByRole('button', offer).click()
    await expect(reader.getByText('Notifications are on.')).toBeVisible()
    await expectAccessiblePage(reader, 'Subscription options')

    const title = `Ferries ${process.pid}, notified in round ${test.info().repeatEachIndex}`
    await editorOf(reader.request).deliver(title)
    const text = await browser.message(title)
    expect(Object.keys(JSON.parse(text)).toSorted()).toEqual(['body', 'lang', 'path', 'tag', 'title'])
    const [shown] = await browser.deliver(text)
    const { path, tag, body } = JSON.parse(text)
    expect(shown).toMatchObject({ title, body, tag, silent: true, data: { path } })
    expect(shown).toMatchObject({ icon: expect.stringMatching(/^\/static\/icon-192/) })

    // The open window goes there, without loading the page again.
    await reader.evaluate(() => Object.assign(window, { isSamePage: true }))
    expect(await browser.tap({ path })).toEqual([])
    await expect(reader).toHaveURL(new RegExp(`/#${path}$`))
    await expect(reader.getByRole('heading', { level: 2, name: title })).toBeVisible()
    expect(await reader.evaluate(() => Reflect.get(window, 'isSamePage'))).toBe(true)

    await reader.goto('/#/account/dashboard')
    await reader.getByRole('button', { name: 'Turn off notifications in this browser' }).click()
    await expect(reader.getByText('Notifications are off in this browser.')).toBeVisible()
    await expect(reader.getByRole('button', offer)).toBeVisible()
    expect(await browser.endpoint()).toBeUndefined()
  })

  test('say what is true when a message can’t be read, and lead home in a new window', async ({ reader }) => {
    const browser = await pushBrowser(reader)
    await reader.goto('/')
    await reader.evaluate(() => navigator.serviceWorker.ready.then(() => null))
    const [shown] = await browser.deliver('not JSON')
    expect(shown).toMatchObject({ title: 'The newest edition is one tap away', data: { path: '/home' } })
    await reader.goto('/robots.txt')
    expect(await browser.tap({ path: 'https://elsewhere.example' })).toEqual([
      `${new URL(reader.url()).origin}/#/home`,
    ])
  })

  test('are offered at the second visit, without moving the memos, and end with a logout', async ({
    reader,
  }) => {
    const browser = await pushBrowser(reader)
    await openSession(reader, await createSubscriber(reader))
    await reader.goto('/#/footer')
    await reader.evaluate(() => localStorage.setItem('tidings:visits', '1 0'))
    await reader.goto('/robots.txt')
    await reader.goto('/')
    const memo = reader.getByRole('heading', { level: 2 }).first()
    await expect(memo).toBeVisible()
    const before = await memo.boundingBox()
    const button = reader.getByRole('button', offer)
    await expect(button).toBeVisible()
    expect(await memo.boundingBox()).toEqual(before)
    await button.click()
    await expect(reader.getByText('This browser is notified of new editions.')).toBeVisible()
    expect(await browser.endpoint()).toMatch(/\/push\//)

    await reader.getByRole('button', { name: 'Log out' }).click()
    await expect(reader.getByRole('link', { name: 'Log in' })).toBeVisible()
    expect(await browser.endpoint()).toBeUndefined()
  })
})
