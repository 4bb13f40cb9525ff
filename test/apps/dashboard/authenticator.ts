// An authenticator in software, as browsers answer for one (Web Authentication, Level 3): honest, unless a test says
// what to forge.
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** What a hostile or broken authenticator, or a page of another site, would say. */
export type Forgery = {
  origin?: string;
  rpId?: string;
  challenge?: string;
  counter?: number;
  notVerified?: true;
  userHandle?: string;
};

export type Authenticator = ReturnType<typeof makeAuthenticator>;

const sha256 = (data: Buffer): Buffer => createHash("sha256").update(data).digest();
const base64url = (data: Buffer): string => data.toString("base64url");
const bytes = (text: string): Buffer => Buffer.from(text, "base64url");

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

export function makeAuthenticator(ownOrigin: string) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const credentialId = randomBytes(16);
  const id = base64url(credentialId);
  let counter = 0;
  let ownHandle = "";

  function dataOf(flags: number, { rpId = new URL(ownOrigin).hostname, notVerified, ...forgery }: Forgery): Buffer {
    counter += 1;
    const counted = Buffer.alloc(4);
    counted.writeUInt32BE(forgery.counter ?? counter);
    const all = flags | USER_PRESENT | (notVerified ? 0 : USER_VERIFIED);
    return Buffer.concat([sha256(Buffer.from(rpId)), Buffer.from([all]), counted]);
  }

  function clientData(
    type: string,
    options: any,
    { origin = ownOrigin, challenge = String(options.challenge) }: Forgery,
  ): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  return {
    id,
    /** For what `begin-passkey` answered. */
    create(options: any, forgery: Forgery = {}) {
      ownHandle = options.user.id;
      const { x = "", y = "" } = publicKey.export({ format: "jwk" });
      const key = Buffer.concat([
        Buffer.from("a5010203262001215820", "hex"),
        bytes(x),
        Buffer.from("225820", "hex"),
        bytes(y),
      ]);
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, credentialId.length]), credentialId, key]);
      const data = Buffer.concat([dataOf(HAS_CREDENTIAL, forgery), credential]);
      const attestation = Buffer.concat([
        Buffer.from("a363666d74646e6f6e656761747453746d74a068617574684461746158", "hex"),
        Buffer.from([data.length]),
        data,
      ]);
      const response = {
        clientDataJSON: base64url(clientData("webauthn.create", options, forgery)),
        attestationObject: base64url(attestation),
        transports: ["internal"],
      };
      return { id, rawId: id, type: "public-key", response, clientExtensionResults: {} };
    },
    /** For what `begin-passkey-sign-in` answered. */
    get(options: any, forgery: Forgery = {}) {
      const [data, client] = [dataOf(0, forgery), clientData("webauthn.get", options, forgery)];
      const signature = sign("sha256", Buffer.concat([data, sha256(client)]), privateKey);
      const response = {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signature),
        userHandle: forgery.userHandle ?? ownHandle,
      };
      return { id, rawId: id, type: "public-key", response, clientExtensionResults: {} };
    },
  };
}
