import { describe, expect, it, onTestFinished } from 'vitest'
import { stripeAdmin } from '../../admin/client.ts'
import { startEmulator } from '../../testing/start-emulator.ts'

async function start() {
  const emulator = await startEmulator({ webhookUrl: 'http://127.0.0.1:9/webhooks/stripe' })
  onTestFinished(() => emulator.stop())
  return { ...emulator, admin: stripeAdmin(emulator.url) }
}

describe('the account', () => {
  it('has the settings that the dashboard changes', async () => {
    const { stripe, admin } = await start()
    const saved = async () =>
      (await stripe.accounts.retrieveCurrent()).settings?.invoices?.hosted_payment_method_save
    expect(await saved()).toBe('always')
    await admin.changeAccount({ hostedPaymentMethodSave: 'never' })
    expect(await saved()).toBe('never')
  })

  it('is ready for tax once nothing is missing', async () => {
    const { stripe, admin } = await start()
    expect(await stripe.tax.settings.retrieve()).toMatchObject({
      status: 'pending',
      status_details: { pending: { missing_fields: ['head_office'] } },
    })
    await admin.changeAccount({ tax: { missingFields: [], registeredCountries: ['US'] } })
    expect(await stripe.tax.settings.retrieve()).toMatchObject({ status: 'active' })
    const { data } = await stripe.tax.registrations.list({ status: 'active' })
    expect(data).toMatchObject([{ country: 'US', status: 'active' }])
  })

  it('lists the endpoint that events are sent to, without its secret', async () => {
    const { stripe } = await start()
    const { data } = await stripe.webhookEndpoints.list()
    expect(data).toMatchObject([
      { url: 'http://127.0.0.1:9/webhooks/stripe', enabled_events: ['*'], status: 'enabled' },
    ])
    expect(data[0]).not.toHaveProperty('secret')
  })
})
