import BookOutput
import Foundation
import Primitives
import TestSupport
import Testing
import Typesetting

@Suite struct BookErrorTests {
  @Test func `Errors say what is wrong, and protected books are told as such`() throws {
    let test = try TestBook()
    let path = try test.epub(["<p>One</p>"])
    _ = try test.write(
      """
      <encryption><EncryptedData><EncryptionMethod Algorithm='http://www.w3.org/2001/04/xmlenc#aes128-cbc'/>
      <CipherData><CipherReference URI='c0.xhtml'/></CipherData></EncryptedData></encryption>
      """, to: "book/META-INF/encryption.xml")
    _ = try test.write("{}", to: "book/META-INF/license.lcpl")
    let message = "c0.xhtml: the book is protected by Readium LCP and cannot be read"
    do {
      _ = try Book(contentsOf: path)
      Issue.record("the book is opened")
    } catch let error as any Error {
      #expect((error as? BookError)?.kind == .protected(.lcp) && (error as? BookError)?.exitCode == 65)
      #expect(error.localizedDescription == message && "\(error)" == message)
    }
    do {
      _ = try CFI("epubcfi(/6/x")
      Issue.record("the CFI is read")
    } catch let error as any Error {
      #expect(error.localizedDescription == "\(error)" && error.localizedDescription.hasPrefix("character "))
    }
    #expect(BookRun(RunOptions(input: path)).run().error?.kind == .protected(.lcp))
  }
}
