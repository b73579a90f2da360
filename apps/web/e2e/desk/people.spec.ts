import pg from 'pg'
import { violationsInDark, violationsInLight } from '../accessibility.ts'
import { siteUnderTest } from '../site-under-test.config.ts'
import { addAuthenticator, expect, test } from './desk-page.ts'

/** Lets the last proof of a person be too old. */
async function forgetProof(email: string): Promise<void> {
  const client = new pg.Client({ connectionString: siteUnderTest.databaseUrl() })
  await client.connect()
  await client.query(
    'UPDATE desk_session SET proved_at = NULL WHERE person_id = (SELECT id FROM person WHERE email = $1)',
    [email],
  )
  await client.end()
}

/** Adds a person, as an accepted invitation does. */
async function addPerson(name: string, roles: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: siteUnderTest.databaseUrl() })
  await client.connect()
  await client.query(
    `INSERT INTO person (email, name, roles) VALUES ($1, $2, $3)
    ON CONFLICT (email) DO UPDATE SET roles = EXCLUDED.roles, removed_at = NULL`,
    [`${name.replaceAll(' ', '.')}@example.com`.toLowerCase(), name, roles],
  )
  await client.end()
}

test.use({ viewport: { width: 1440, height: 900 } })

test.describe('the people of the desk', () => {
  test('are invited with a link that is shown once, and invitations are withdrawn', async ({ desk }) => {
    const email = `nils.${test.info().retry}@example.com`
    await desk.goto('/desk/people')
    await desk.getByLabel('Invite by email').fill(email)
    await desk.getByRole('group', { name: 'As' }).getByLabel('Editor').check()

    await desk.getByRole('button', { name: 'Invite', exact: true }).click()

    await expect(desk.getByText('Copy it now. It isn’t shown again.')).toBeVisible()
    await expect(desk.getByText(/\/desk\/invitation\//)).toBeVisible()
    expect([...(await violationsInLight(desk)), ...(await violationsInDark(desk))]).toEqual([])
    const open = desk
      .getByRole('list', { name: 'Open invitations' })
      .getByRole('listitem')
      .filter({ hasText: email })
    await expect(open).toContainText('Writer and Editor')
    await desk.getByRole('button', { name: 'Done' }).click()
    await expect(desk.getByText(/\/desk\/invitation\//)).toHaveCount(0)
    await open.getByRole('button', { name: `Withdraw the invitation of ${email}` }).click()
    await expect(open).toHaveCount(0)
  })

  test('get other roles and are removed, and the log says so', async ({ desk }) => {
    const name = 'Mara Lindqvist'
    await addPerson(name, ['writer'])
    await desk.goto('/desk/people')
    const row = desk.getByRole('list', { name: 'People' }).getByRole('listitem').filter({ hasText: name })
    await row.getByRole('button', { name: `Change ${name}` }).click()
    await row.getByLabel('Moderator').check()
    await row.getByRole('button', { name: 'Save the roles' }).click()
    await expect(row).toContainText('Writer and Moderator')

    await desk.getByRole('link', { name: 'The whole log' }).click()
    await expect(desk.getByText(`made ${name} writer and moderator.`)).toBeVisible()
    expect([...(await violationsInLight(desk)), ...(await violationsInDark(desk))]).toEqual([])
    await desk.getByLabel('On', { exact: true }).fill('2043-01-01')
    await expect(desk.getByText('The log has nothing like that.')).toBeVisible()

    await desk.getByRole('link', { name: 'People and keys' }).click()
    await row.getByRole('button', { name: `Change ${name}` }).click()
    await row.getByRole('button', { name: 'Remove…' }).click()
    await row.getByRole('button', { name: `Remove ${name}` }).click()
    await expect(row).toHaveCount(0)
  })

  test('make keys for scripts, whose secret is shown once, and revoke them', async ({ desk }) => {
    const name = `Weather bot ${test.info().retry}`
    await desk.goto('/desk/people')
    await desk.getByRole('button', { name: 'New key' }).click()
    await desk.getByLabel('Name of the key').fill(name)
    await desk.getByRole('group', { name: 'It may' }).getByLabel('Write').check()

    await desk.getByRole('button', { name: 'Make the key' }).click()

    await expect(desk.getByText(/^tdk_/)).toBeVisible()
    expect([...(await violationsInLight(desk)), ...(await violationsInDark(desk))]).toEqual([])
    const row = desk.getByRole('list', { name: 'Keys' }).getByRole('listitem').filter({ hasText: name })
    await expect(row).toContainText('Read and Write')
    await row.getByRole('button', { name: `Revoke ${name}…` }).click()
    await row.getByRole('button', { name: `Revoke ${name}`, exact: true }).click()
    await expect(row).toContainText('Revoked on')
  })

  test('show by their passkey that it is them before a sensitive change', async ({ desk, consoleErrors }) => {
    // The browser reports the refused request.
    consoleErrors.ignore()
    await addAuthenticator(desk)
    const email = `olga.${test.info().retry}@example.com`
    await desk.goto('/desk/people')
    await desk.getByLabel('Invite by email').fill(email)
    await desk.getByRole('group', { name: 'As' }).getByLabel('Owner').check()
    await desk.getByRole('button', { name: 'Invite', exact: true }).click()
    const link = await desk.getByText(/\/desk\/invitation\//).textContent()
    await desk.goto(link ?? '')
    await desk.getByLabel('Your name').fill('Olga Owner')
    await desk.getByRole('button', { name: 'Create a passkey and start' }).click()
    await desk.waitForURL(/\/desk\/?$/)
    await forgetProof(email)
    await desk.goto('/desk/people')
    await desk.getByRole('button', { name: 'New key' }).click()
    await desk.getByLabel('Name of the key').fill('Proved bot')
    await desk.getByRole('button', { name: 'Make the key' }).click()
    const dialog = desk.getByRole('dialog', { name: 'Show that it is you' })
    await expect(dialog).toBeVisible()
    expect([...(await violationsInLight(desk)), ...(await violationsInDark(desk))]).toEqual([])

    await dialog.getByRole('button', { name: 'Use your passkey' }).click()

    await expect(desk.getByText(/^tdk_/)).toBeVisible()
    await expect(dialog).toHaveCount(0)
  })
})
