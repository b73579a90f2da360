/** The old and the new endpoint, while one replaces the other. */
export const maxWebhookSecrets = 2

/** Returns the secrets of a setting, separated by commas or spaces. */
export function webhookSecretsOf(setting: string): string[] {
  return setting.split(/[\s,]+/).filter((secret) => secret !== '')
}
