/** Members' phone numbers: the number that receives texts, verified by a code, with the consent to texts. */
export { registerPhoneRoutes } from './phone.routes.ts'
export { createPhoneService } from './phone.service.ts'
