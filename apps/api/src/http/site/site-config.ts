import { siteConfigElementId, siteStartElementId } from '@tidings/contracts/site/element-ids'
import type { SiteConfig } from '@tidings/contracts/site/site-config'
import type { SiteStart } from '@tidings/contracts/site/site-start'
import { directionOfLanguage } from '@tidings/contracts/site/text-direction'
import type { Config } from '#config/config.ts'
import { type Html, html, jsonHtml } from '#platform/html/html.ts'

/** Returns the page's public run-time configuration. */
export function toSiteConfig({ site, phoneRegion, sms, push, payments }: Config): SiteConfig {
  return {
    siteName: site.name,
    timeZone: site.timeZone,
    slots: site.slots,
    appId: site.appId,
    appPublicKey: site.appPublicKey,
    phoneRegion,
    smsCountries: sms.account === null ? [] : sms.countries,
    tagManagerId: site.tagManagerId,
    stagingHost: site.stagingHost,
    editionComments: site.editionComments,
    notifications: push.vapid !== null,
    customerOnDeletion: payments.customerOnDeletion,
    legal: site.legal,
  }
}

/** Writes the configuration into the shell's JSON element. */
export function writeSiteConfig(shell: string, config: SiteConfig): string {
  return writeElement(shell, siteConfigElementId, config)
    .replace(/<title>[^<]*<\/title>/, () => `${html`<title>${config.siteName}</title>`}`)
    .replace(/(<p class="site-name">)[^<]*/, (_all, open: string) => `${open}${html`${config.siteName}`}`)
}

/** Writes the gate's status and the first lists into the shell's JSON element. */
export function writeSiteStart(shell: string, start: SiteStart): string {
  return writeElement(shell, siteStartElementId, start)
}

function writeElement(shell: string, id: string, value: unknown): string {
  const element = new RegExp(`(<script[^>]*id="${id}"[^>]*>)[^<]*(</script>)`)
  if (!element.test(shell)) throw new Error(`The web app's page has no element '${id}'`)
  return shell.replace(element, (_all, open: string, close: string) => `${open}${jsonHtml(value)}${close}`)
}

/** Returns the attributes of `<html>` for a language: `lang="ar" dir="rtl"`. */
export function languageAttributes(language: string): Html {
  return html`lang="${language}" dir="${directionOfLanguage(language)}"`
}

/** Writes the site's language, its direction and its fonts into the shell's `<html>`. */
export function writeLanguage(shell: string, language: string): string {
  const attribute = /(<html[^>]* )lang="[^"]*"/
  if (!attribute.test(shell)) throw new Error("The web app's page has no <html lang>")
  const attributes = `${languageAttributes(language)} data-fonts="${fontsOfLanguage(language)}"`
  return shell.replace(attribute, (_all, open: string) => `${open}${attributes}`)
}

/** Returns the subset of the web fonts that a site begins with: the letters of English, or all Latin ones. */
export function fontsOfLanguage(language: string): 'english' | 'latin' {
  const { language: name, script } = new Intl.Locale(language).maximize()
  // The web fonts have no other script, and the site's own sentences are English.
  return name === 'en' || (script ?? 'Latn') !== 'Latn' ? 'english' : 'latin'
}
