import type { PdfFormat } from '@tidings/contracts/delivery/deliveries'
import type { VerifyPhoneRequest } from '@tidings/contracts/membership/phone'
import type { AddPushDeviceRequest } from '@tidings/contracts/membership/push'
import * as routes from '@tidings/contracts/membership/routes'
import { normalizeCode } from '@tidings/contracts/membership/typed-text'
import type { Send } from './request.ts'

/** Creates the calls about how editions reach the member: deliveries, phone, address, browsers and feeds. */
export function createDeliveryCalls({ send }: { send: Send }) {
  return {
    /** Returns since when the member has feed addresses, or null. */
    getFeed() {
      return send(routes.getMemberFeed, {})
    },

    /** Creates feed addresses, which no other call returns. Earlier ones end. */
    renewFeed() {
      return send(routes.renewMemberFeed, {})
    },

    /** Ends the feed addresses. */
    deleteFeed() {
      return send(routes.endMemberFeed, {})
    },

    /** Returns the next delivery, what keeps it from being sent, and the last thirty. */
    getDeliveries() {
      return send(routes.getMemberDeliveries, {})
    },

    /** Pauses all deliveries until a day (YYYY-MM-DD), or ends the pause with null. */
    pauseDeliveries({ pausedUntil }: Pause) {
      return send(routes.updateMemberDeliveries, { body: { pausedUntil } })
    },

    /** Chooses the pages of the PDFs that are delivered. */
    choosePdfFormat({ pdfFormat }: PdfChoice) {
      return send(routes.updateMemberDeliveries, { body: { pdfFormat } })
    },

    /** Returns the member's phone number, and whether it is verified. */
    getPhone() {
      return send(routes.getPhone, {})
    },

    /** Texts a code to the member's phone number. */
    sendPhoneCode() {
      return send(routes.sendPhoneCode, {})
    },

    /** Verifies the phone number by the code in the text. */
    verifyPhone(params: VerifyPhoneRequest) {
      return send(routes.verifyPhone, { body: { ...params, code: normalizeCode(params.code) } })
    },

    /** Returns why no editions are emailed to the member's address, or null. */
    getSuppression() {
      return send(routes.getSuppression, {})
    },

    /** Has editions emailed to the address again. */
    liftSuppression() {
      return send(routes.endSuppression, {})
    },

    /** Returns the browsers that are notified of new editions, and the key that a browser subscribes with. */
    getPushDevices() {
      return send(routes.listPushDevices, {})
    },

    /** Adds a browser that gets notifications, by its push subscription. Adding it again keeps its id. */
    addPushDevice({ endpoint, keys }: AddPushDeviceRequest) {
      return send(routes.addPushDevice, { body: { endpoint, keys } })
    },

    /** Ends the notifications of a browser, by an id of `getPushDevices`. */
    removePushDevice({ id }: { id: string }) {
      return send(routes.removePushDevice, { params: { id } })
    },
  }
}

type Pause = { pausedUntil: string | null }
type PdfChoice = { pdfFormat: PdfFormat }
