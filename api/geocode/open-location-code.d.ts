declare module 'open-location-code' {
  export class OpenLocationCode {
    encode(lat: number, lng: number, length?: number): string;
    shorten(code: string, lat: number, lng: number): string;
  }
}
