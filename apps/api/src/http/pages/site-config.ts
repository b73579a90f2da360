import { type SiteConfig, siteConfigElementId } from '@tidings/contracts/site-config'
import type { Config } from '#config/config.ts'

/** Returns the page's public run-time configuration. */
export function toSiteConfig({ site }: Config): SiteConfig {
  return {
    siteName: site.name,
    timeZone: site.timeZone,
    slots: site.slots,
    appId: site.appId,
    appPublicKey: site.appPublicKey,
    tagManagerId: site.tagManagerId,
    stagingHost: site.stagingHost,
    legal: site.legal,
  }
}

/** Writes the configuration into the shell's JSON element. */
export function writeSiteConfig(shell: string, config: SiteConfig): string {
  const element = new RegExp(`(<script[^>]*id="${siteConfigElementId}"[^>]*>)[^<]*(</script>)`)
  if (!element.test(shell)) throw new Error(`The web app's page has no element '${siteConfigElementId}'`)
  // `<` could end the element; JSON may escape it.
  const json = JSON.stringify(config).replaceAll('<', '\\u003c')
  return shell
    .replace(element, (_all, open: string, close: string) => `${open}${json}${close}`)
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(config.siteName)}</title>`)
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
