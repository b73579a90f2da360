import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { wireMember } from '@tidings/client/testing/wire-samples'
import { updateMember } from '@tidings/contracts/membership/members'
import { describe, expect, it } from 'vitest'
import { apiServer, fakeSite } from '#testing/api-handlers.ts'
import { errorResponse, fake } from '#testing/fake.ts'
import { fakeMembership, wirePlanConnection } from '#testing/fake-membership.ts'
import { holdCall } from '#testing/held-request.ts'
import { renderApp } from '#testing/render-app.tsx'

const path = '/account/dashboard'
const phone = '+12133734253'
const fields = { name: 'Ada', phone, getmemomethodbyemail: true }

async function renderDashboard(site = siteOf(fields)) {
  const page = await renderApp({ path, site, isLoggedIn: true })
  await screen.findByDisplayValue('(213) 373-4253')
  await screen.findByRole('heading', { name: 'How it comes' })
  return { ...page, stored: () => site.membership.member.customFields }
}

const withPlan = {
  planConnections: [wirePlanConnection('monthly')],
  stripeCustomerId: 'cus_1',
}

function siteOf(customFields: Record<string, unknown>, id = 'mem_ada', plan = {}) {
  return fakeSite({
    membership: fakeMembership({ member: wireMember({ id, verified: true, customFields, ...plan }) }),
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

  it('is a phone number at once, while it isn’t known whether it is the same', async () => {
    const { stored } = await renderDashboard()
    // The phone library loads after the submission.
    fireEvent.change(screen.getByLabelText('Phone number'), { target: { value: '202 555 0123' } })
    expect(notSaved()).not.toBeNull()
    expect(draft()).toContain('202 555 0123')
    fireEvent.click(press('Submit'))
    await screen.findByText('Update succeeded')
    expect(stored().phone).toBe('+12025550123')
    expect(notSaved()).toBeNull()
  })

  it('is none for a name or an address that is saved the same, whatever else changed', async () => {
    await renderDashboard()
    fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Ada ' } })
    fireEvent.change(screen.getByLabelText('Email'), { target: { value: 'ADA@example.com' } })
    expect(notSaved()).toBeNull()
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

describe('what is changed while the dashboard saves', () => {
  async function renderSaving() {
    const page = await renderDashboard()
    const { user } = page
    await user.type(screen.getByLabelText('Name'), ' B')
    await user.click(toggle('PDF by e-mail'))
    const save = holdCall(updateMember)
    await user.click(press('Submit'))
    await save.arrived
    async function finish() {
      save.release()
      await screen.findByText('Update succeeded')
    }
    return { ...page, finish }
  }

  it('stays, and is not saved yet', async () => {
    const { user, finish, stored } = await renderSaving()
    await user.type(screen.getByLabelText('Name'), 'C')
    await user.click(toggle('PDF by SMS'))
    await finish()
    expect(stored()).toMatchObject({ name: 'Ada B', getPDFMethodByEmail: true })
    expect(stored().getPDFMethodBySMS).toBeFalsy()
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Ada BC')
    expect([toggle('PDF by e-mail').checked, toggle('PDF by SMS').checked]).toEqual([true, true])
    expect(notSaved()).not.toBeNull()
    await user.click(press('Submit'))
    await waitFor(() => expect(stored()).toMatchObject({ name: 'Ada BC', getPDFMethodBySMS: true }))
    await waitFor(() => expect(notSaved()).toBeNull())
  })

  it('may take back what is being saved', async () => {
    const { user, finish } = await renderSaving()
    await user.type(screen.getByLabelText('Name'), '{Backspace}{Backspace}')
    await user.click(toggle('PDF by e-mail'))
    await finish()
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Ada')
    expect(toggle('PDF by e-mail').checked).toBe(false)
    expect(notSaved()).not.toBeNull()
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
    apiServer.use(fake(updateMember, () => errorResponse(503, 'service-busy', 'Try later.')))
    await user.click(toggle('PDF by e-mail'))
    await user.click(screen.getByRole('link', { name: 'View memos' }))
    await user.click(within(await question()).getByRole('button', { name: 'Save and leave' }))
    await screen.findByText('Try later.')
    expect(router.state.location.pathname).toBe(path)
    expect(notSaved()).not.toBeNull()
    expect(document.activeElement).toBe(press('Submit'))
  })

  it('waits for what is being saved, and saves the rest', async () => {
    const { user, router, stored } = await renderDashboard()
    await user.click(toggle('PDF by e-mail'))
    const save = holdCall(updateMember)
    await user.click(press('Submit'))
    await save.arrived
    await user.click(toggle('PDF by SMS'))
    await user.click(screen.getByRole('link', { name: 'View memos' }))
    await user.click(within(await question()).getByRole('button', { name: 'Save and leave' }))
    expect(router.state.location.pathname).toBe(path)
    save.release()
    await waitFor(() => expect(router.state.location.pathname).toBe('/home'))
    expect(stored()).toMatchObject({ getPDFMethodByEmail: true, getPDFMethodBySMS: true })
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

  it('asks before the page of the payment service opens, and is ready again for who stays', async () => {
    const { user, services, stored } = await renderDashboard(siteOf(fields, 'mem_ada', withPlan))
    await user.click(toggle('PDF by e-mail'))
    await user.click(press('Billing and invoices'))
    await user.click(within(await question()).getByRole('button', { name: 'Stay here' }))
    await waitFor(() => expect(press('Billing and invoices').getAttribute('aria-disabled')).toBe('false'))
    expect(services.openPage).not.toHaveBeenCalled()
    expect(toggle('PDF by e-mail').checked).toBe(true)
    await user.click(press('Billing and invoices'))
    await user.click(within(await question()).getByRole('button', { name: 'Save and leave' }))
    await waitFor(() => expect(services.openPage).toHaveBeenCalledTimes(1))
    expect(stored().getPDFMethodByEmail).toBe(true)
  })
})
