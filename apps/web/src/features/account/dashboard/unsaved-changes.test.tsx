import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { wireMember } from '@tidings/client/testing/wire-samples'
import { membershipPaths } from '@tidings/contracts/paths'
import { http } from 'msw/http'
import { describe, expect, it } from 'vitest'
import { apiServer, errorResponse, fakeSite } from '#testing/api-handlers.ts'
import { fakeMembership } from '#testing/fake-membership.ts'
import { renderApp } from '#testing/render-app.tsx'

const path = '/account/dashboard'
const phone = '+12133734253'
const fields = { name: 'Ada', phone, getmemomethodbyemail: true }

async function renderDashboard(site = siteOf(fields)) {
  const page = await renderApp({ path, site, isLoggedIn: true })
  await screen.findByDisplayValue('(213) 373-4253')
  return { ...page, stored: () => site.membership.member.customFields }
}

function siteOf(customFields: Record<string, unknown>, id = 'mem_ada') {
  return fakeSite({
    membership: fakeMembership({ member: wireMember({ id, verified: true, customFields }) }),
  })
}

const toggle = (name: string) => screen.getByRole<HTMLInputElement>('switch', { name })
const notSaved = () => screen.queryByText('Not saved yet')
const press = (name: string) => screen.getByRole('button', { name })
const question = () => screen.findByRole('dialog', { name: 'Save your changes?' })
const draft = () => JSON.stringify({ ...window.sessionStorage })

describe('a change on the dashboard', () => {
  it('says that it is not saved until it is, or is taken back', async () => {
    const { user } = await renderDashboard()
    expect(notSaved()).toBeNull()
    await user.click(toggle('PDF by e-mail'))
    expect(notSaved()).not.toBeNull()
    await user.click(toggle('PDF by e-mail'))
    expect(notSaved()).toBeNull()
    await user.type(screen.getByLabelText('Name'), ' B')
    expect(notSaved()).not.toBeNull()
    await user.click(press('Submit'))
    await screen.findByText('Update succeeded')
    expect(notSaved()).toBeNull()
  })

  it('is none for the same number in another form', async () => {
    const { user } = await renderDashboard()
    const number = screen.getByLabelText('Phone number')
    await user.clear(number)
    expect(notSaved()).not.toBeNull()
    await user.type(number, '213 373 4253')
    await waitFor(() => expect(notSaved()).toBeNull())
  })

  it('survives a reload', async () => {
    const { user, site } = await renderDashboard()
    await user.click(toggle('PDF by e-mail'))
    await user.type(screen.getByLabelText('Name'), ' B')
    cleanup()
    await renderDashboard(site)
    expect(toggle('PDF by e-mail').checked).toBe(true)
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Ada B')
    expect(notSaved()).not.toBeNull()
  })

  it('is dropped once the account has it', async () => {
    const { user } = await renderDashboard()
    await user.click(toggle('PDF by e-mail'))
    expect(draft()).toContain('pdf-email')
    cleanup()
    await renderDashboard(siteOf({ ...fields, getPDFMethodByEmail: true }))
    expect(notSaved()).toBeNull()
    expect(draft()).not.toContain('pdf-email')
  })

  it('is never shown to another member', async () => {
    const { user } = await renderDashboard()
    await user.click(toggle('PDF by e-mail'))
    cleanup()
    await renderDashboard(siteOf(fields, 'mem_bob'))
    expect(toggle('PDF by e-mail').checked).toBe(false)
    expect(draft()).not.toContain('pdf-email')
  })

  it('is saved on top of what another device has saved meanwhile', async () => {
    const { user, site, stored } = await renderDashboard()
    await user.click(toggle('PDF by e-mail'))
    site.membership.member.customFields = { name: 'Ada of the phone', phone, getmemomethodbysms: true }
    await user.click(press('Submit'))
    await screen.findByText('Update succeeded')
    expect(stored()).toEqual({
      name: 'Ada of the phone',
      phone,
      getmemomethodbysms: true,
      getPDFMethodByEmail: true,
    })
  })
})

describe('leaving the dashboard', () => {
  it('asks nothing when nothing changed', async () => {
    const { user, router } = await renderDashboard()
    await user.click(toggle('PDF by e-mail'))
    await user.click(toggle('PDF by e-mail'))
    await user.click(screen.getByRole('link', { name: 'View memos' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/home'))
  })

  it('asks once, and stays', async () => {
    const { user, router } = await renderDashboard()
    await user.click(toggle('PDF by e-mail'))
    await user.click(screen.getByRole('link', { name: 'View memos' }))
    await user.click(within(await question()).getByRole('button', { name: 'Stay here' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(router.state.location.pathname).toBe(path)
    expect(toggle('PDF by e-mail').checked).toBe(true)
  })

  it('saves, and leaves', async () => {
    const { user, router, stored } = await renderDashboard()
    await user.click(toggle('PDF by e-mail'))
    await user.click(screen.getByRole('link', { name: 'View memos' }))
    await user.click(within(await question()).getByRole('button', { name: 'Save and leave' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/home'))
    expect(stored().getPDFMethodByEmail).toBe(true)
    expect(draft()).not.toContain('pdf-email')
  })

  it('stays with the reason when saving fails', async () => {
    const { user, router } = await renderDashboard()
    apiServer.use(http.post(membershipPaths.member, () => errorResponse(503, 'service-busy', 'Try later.')))
    await user.click(toggle('PDF by e-mail'))
    await user.click(screen.getByRole('link', { name: 'View memos' }))
    await user.click(within(await question()).getByRole('button', { name: 'Save and leave' }))
    await screen.findByText('Try later.')
    expect(router.state.location.pathname).toBe(path)
    expect(notSaved()).not.toBeNull()
  })

  it('leaves without saving', async () => {
    const { user, router, stored } = await renderDashboard()
    await user.click(toggle('PDF by e-mail'))
    await user.click(screen.getByRole('link', { name: 'View memos' }))
    await user.click(within(await question()).getByRole('button', { name: 'Leave without saving' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/home'))
    expect(stored()).toEqual(fields)
    expect(draft()).not.toContain('pdf-email')
  })

  it('asks before a logout, which ends what was kept', async () => {
    const { user, router } = await renderDashboard()
    await user.click(toggle('PDF by e-mail'))
    await user.click(press('Log out'))
    await user.click(within(await question()).getByRole('button', { name: 'Stay here' }))
    expect(router.state.location.pathname).toBe(path)
    await user.click(press('Log out'))
    await user.click(within(await question()).getByRole('button', { name: 'Leave without saving' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/home'))
    expect(draft()).not.toContain('pdf-email')
  })
})
