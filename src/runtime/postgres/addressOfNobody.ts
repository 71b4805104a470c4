/** SQL of a keyed hash that no address has: a customer who has it is found by no address, and the column stays unique. */
export const addressOfNobody = "uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())"
