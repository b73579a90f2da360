/** The service worker's message to the open pages when the browser has another push subscription. */
export const pushRenewedMessage = 'push-renewed'
