import type { Page } from '@playwright/test'

/** Returns an act that signs in at the provider with this address. */
export function signInAs(address: string, { verified = true } = {}) {
  return async (popup: Page): Promise<void> => {
    await popup.getByRole('radio', { name: 'Someone else' }).check()
    await popup.getByRole('textbox', { name: 'Name' }).fill('Zoe')
    await popup.getByRole('textbox', { name: 'Email address' }).fill(address)
    await popup.getByRole('checkbox', { name: 'The email address is verified' }).setChecked(verified)
    await popup.getByRole('button', { name: 'Continue' }).click()
  }
}

/** Returns an act that confirms the connection, then signs in at the provider, which has another origin. */
export function connectAs(address: string) {
  return async (popup: Page): Promise<void> => {
    await popup.getByRole('button', { name: 'Connect Tidings ID' }).click()
    await signInAs(address)(popup)
  }
}
