import Foundation
import PackagePlugin

/// Gives a module `EngineBuild.digest`: of the sources and resources of the module and of all modules of this package that it
/// depends on.
///
/// Equal sources give an equal digest on every machine, in a clone, in an archive without a repository, and where the package
/// is a dependency of another. It is made again when one of the files has changed, and written only when it is another.
@main struct EngineBuild: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let root = context.package.directoryURL
    let own = Set(context.package.targets.map(\.id))
    let modules = [target] + target.recursiveTargetDependencies.filter { own.contains($0.id) }
    var names = Set<String>()
    for module in modules {
      let folder = module.directoryURL
      let prefix = String(folder.path.dropFirst(root.path.count).drop { $0 == "/" })
      for case let name as String in FileManager.default.enumerator(atPath: folder.path) ?? .init() {
        let isHidden = name.split(separator: "/").contains { $0.hasPrefix(".") }
        var isFolder: ObjCBool = false
        let path = folder.appending(path: name).path
        if !isHidden, FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue {
          names.insert(prefix + "/" + name)
        }
      }
    }
    let files = names.sorted()
    let output = context.pluginWorkDirectoryURL.appending(path: "EngineBuild.swift")
    // The digests of all files with their names, and the digest of that.
    let script = """
      set -e
      cd "$1"
      output=$2
      shift 2
      digest=$(sha256sum -- "$@" | sha256sum | cut -c 1-16)
      line="enum EngineBuild { static var digest: String { \\"$digest\\" } }"
      [ -f "$output" ] && [ "$(cat "$output")" = "$line" ] || printf '%s\\n' "$line" >"$output"
      """
    return [
      .buildCommand(
        displayName: "Digest of the engine's sources", executable: URL(fileURLWithPath: "/bin/sh"),
        arguments: ["-c", script, "sh", root.path, output.path] + files,
        inputFiles: files.map { root.appending(path: $0) }, outputFiles: [output])
    ]
  }
}
