/** Ids of the script elements in the page's shell into which the API writes JSON. */

/** Carries the page's public configuration. */
export const siteConfigElementId = 'site-config'

/** Holds the API's facts about the requester and the newest editions. */
export const siteStartElementId = 'site-start'
